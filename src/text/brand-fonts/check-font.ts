import { harfbuzzFile, readFontFileSync } from '../font-files.ts'
import { createHarfBuzz } from '../harfbuzz.ts'
import { isWoff2, unpackFont, woff2Ready } from '../woff2.ts'
import { checkTables } from './check-tables.ts'
import { type FontFacts, factsTag } from './font-facts.ts'
import { FontRefused, fontBytesMax, fontLimits } from './font-limits.ts'
import { checkSignature } from './font-signature.ts'
import { bytesOf, type FontTables, readTables, viewOf, writeFont } from './sfnt.ts'
import { tryFont } from './try-font.ts'

/** Drawing needs these, and `name` says whose the font is. Hints, bitmaps, colours and all others are left out. */
const storedTables =
  'head,hhea,maxp,hmtx,cmap,OS/2,name,glyf,loca,CFF ,CFF2,fvar,avar,gvar,HVAR,GDEF,GSUB,GPOS,kern'.split(',')
const openType = 0x4f54544f
const trueType = 0x00010000

/**
 * The font to keep: unpacked, with the tables that are drawn with and one of what was found out about it. It may take long: it is
 * for a process of its own. @throws FontRefused
 */
export async function checkFont(file: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  await woff2Ready
  const found = readTables(unpack(file))
  checkEmbedding(found)
  const tables = new Map(
    [...found].filter(([tag, { byteLength }]) => storedTables.includes(tag) && byteLength > 0),
  )
  if ((tables.get('name')?.byteLength ?? 0) > fontLimits.nameBytes) tables.delete('name')
  const { unitsPerEm, axes } = checkTables(tables)
  const signature = tables.has('glyf') ? trueType : openType
  const font = writeFont(signature, tables)
  checkLength(font)
  const tried = tryFont(createHarfBuzz(readFontFileSync(harfbuzzFile)), font, axes)
  const family = familyName(tables)
  const facts: FontFacts = { ...(family === undefined ? {} : { family }), unitsPerEm, ...tried, axes }
  tables.set(factsTag, viewOf(new TextEncoder().encode(JSON.stringify(facts))))
  const withFacts = writeFont(signature, tables)
  checkLength(withFacts)
  return withFacts
}

/** The limit holds for all stored tables, because they can be exported and uploaded again. */
function checkLength({ length }: Uint8Array): void {
  if (length > fontBytesMax)
    throw new FontRefused(
      `takes ${mebibytes(length)} MiB unpacked; at most ${mebibytes(fontBytesMax)} are allowed`,
    )
}

function mebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1)
}

const restricted = 0x0002
const allowing = 0x0004 | 0x0008
const bitmapsOnly = 0x0200

/**
 * Refuses a font whose licence bits (fsType of the table OS/2) do not allow its outlines in documents; of several bits the least
 * restrictive counts. A card holds the outlines of its letters and no font, so what allows to view and print a document is enough,
 * and a font that must not be cut into parts is not cut.
 */
function checkEmbedding(tables: FontTables): void {
  const os2 = tables.get('OS/2')
  if (os2 === undefined || os2.byteLength < 10)
    throw new FontRefused(
      'does not say whether it may be embedded: it has no table "OS/2" with licence bits (fsType)',
    )
  const bits = os2.getUint16(8)
  if ((bits & restricted) !== 0 && (bits & allowing) === 0)
    throw new FontRefused('may not be embedded, says its licence (fsType)')
  if ((bits & bitmapsOnly) !== 0)
    throw new FontRefused('may be embedded as bitmaps only, says its licence (fsType)')
}

const typographicFamily = 16
const family = 1
const nameLengthMax = 80

/** The family name in the font: in English if there is one, else in any language. */
function familyName(tables: FontTables): string | undefined {
  const names = tables.get('name')
  if (names === undefined || names.byteLength < 6) return undefined
  const count = Math.min(names.getUint16(2), Math.floor((names.byteLength - 6) / 12))
  let best: { rank: number; name: string } | undefined
  for (let index = 0; index < count; index++) {
    const at = 6 + 12 * index
    const [platform, language, id] = [names.getUint16(at), names.getUint16(at + 4), names.getUint16(at + 6)]
    if (id !== typographicFamily && id !== family) continue
    const rank = (id === typographicFamily ? 4 : 0) + (platform === 3 ? 2 : 0) + (language === 0x409 ? 1 : 0)
    if (best !== undefined && best.rank >= rank) continue
    const start = names.getUint16(4) + names.getUint16(at + 10)
    const length = names.getUint16(at + 8)
    if (start + length > names.byteLength) continue
    const bytes = bytesOf(names).subarray(start, start + length)
    const written =
      platform === 1 ? Buffer.from(bytes).toString('latin1') : new TextDecoder('utf-16be').decode(bytes)
    const name = written
      .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
      .trim()
      .slice(0, nameLengthMax)
    if (name !== '') best = { rank, name }
  }
  return best?.name
}

/** Limit of the unpacked font, which may have tables that are left out afterwards. */
const unpackedBytesMax = 2 * fontBytesMax

/** The decoder bounds what a WOFF2 file unpacks to by a hundred times its size. */
function unpack(file: Uint8Array): Uint8Array {
  checkSignature(file)
  if (!isWoff2(file)) return file
  const view = viewOf(file)
  if (view.getUint32(8) !== file.length)
    throw new FontRefused('is damaged: it is shorter or longer than it says')
  let bytes = view.getUint32(16)
  try {
    const font = bytes > unpackedBytesMax ? file : unpackFont(file)
    bytes = Math.max(bytes, font.length)
    if (bytes <= unpackedBytesMax) return font
  } catch {
    throw new FontRefused('is damaged: it cannot be unpacked')
  }
  throw new FontRefused(`unpacks to more than ${unpackedBytesMax / 2 ** 20} MiB`)
}
