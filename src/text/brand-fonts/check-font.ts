import { harfbuzzFile, readFontFileSync } from '../font-files.ts'
import { createHarfBuzz } from '../harfbuzz.ts'
import { woff2Ready } from '../woff2.ts'
import { checkTables } from './check-tables.ts'
import { axesOf } from './check-variations.ts'
import { checkEmbedding } from './embedding.ts'
import { type FontFacts, factsTag } from './font-facts.ts'
import { fontBytesMax, fontLimits } from './font-limits.ts'
import { familyName } from './font-name.ts'
import { FontRefused } from './font-refused.ts'
import { type FontTables, readTables, viewOf, writeFont } from './sfnt.ts'
import { tryFont } from './try-font.ts'
import { unpack } from './unpack.ts'

/**
 * Tables that drawing needs, and `name`, which says whose the font is. Hints, bitmaps, colours and all others are
 * left out.
 */
const storedTables =
  'head hhea maxp hmtx cmap OS/2 name glyf loca CFF_ CFF2 fvar avar gvar HVAR GDEF GSUB GPOS kern'.split(' ')
const openType = 0x4f54544f
const trueType = 0x00010000

/**
 * Checks a font file and returns the font to keep: unpacked, with the tables that are drawn with and one that holds what was
 * found out about it. It may take long: it is for a process of its own.
 * @throws FontRefused
 */
export async function checkFont(file: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  await woff2Ready
  const found = readTables(unpack(file))
  checkEmbedding(found)
  const tables = new Map(storedTables.flatMap((tag) => entryOf(found, tag.replace('_', ' '))))
  if ((tables.get('name')?.byteLength ?? 0) > fontLimits.nameBytes) tables.delete('name')
  const { unitsPerEm } = checkTables(tables)
  const signature = tables.has('glyf') ? trueType : openType
  const font = writeFont(signature, tables)
  checkLength(font)
  const axes = axesOf(tables)
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

function entryOf(tables: FontTables, tag: string): [string, DataView][] {
  const table = tables.get(tag)
  return table === undefined || table.byteLength === 0 ? [] : [[tag, table]]
}

function mebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1)
}
