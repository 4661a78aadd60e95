import { harfbuzzFile, readFontFileSync } from '../font-files.ts'
import { createHarfBuzz } from '../harfbuzz.ts'
import { isWoff2, unpackFont, woff2Ready } from '../woff2.ts'
import { type FontAxis, type FontFacts, factsTag } from './brand-font.ts'
import { damaged, FontRefused, fontBytesMax, fontLimits } from './font-limits.ts'
import { bytesOf, checkSignature, type FontTables, readTables, tableOf, viewOf, writeFont } from './sfnt.ts'
import { tryFont } from './try-font.ts'

/** Drawing needs these, and `name` says whose the font is. Hints, bitmaps, colours and all others are left out. */
const storedTables =
  'head,hhea,maxp,hmtx,cmap,OS/2,name,glyf,loca,CFF ,CFF2,fvar,avar,gvar,HVAR,GDEF,GSUB,GPOS,kern'.split(',')
const openType = 0x4f54544f
const trueType = 0x00010000

/** The font to keep: unpacked, with what drawing needs and our facts. Slow: for a process of its own. @throws FontRefused */
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

/**
 * Checks what HarfBuzz does not: that the tables every font needs are there, and how much the font may cost. HarfBuzz reads the
 * rest as far as it is sound, and the trial finds what then cannot be drawn. @throws FontRefused
 */
export function checkTables(tables: FontTables) {
  try {
    const shape = checkMetrics(tables)
    checkCmap(tableOf(tables, 'cmap', 4))
    if (tables.has('glyf')) checkGlyf(tables, shape)
    else if (!tables.has('CFF ') && !tables.has('CFF2'))
      throw new FontRefused('has no outlines; a font of pictures cannot be used')
    return { unitsPerEm: shape.unitsPerEm, axes: axesOf(tables) }
  } catch (error) {
    // A view was read beyond its end.
    throw error instanceof RangeError ? new FontRefused('is damaged: a table is cut off') : error
  }
}

function checkMetrics(tables: FontTables) {
  const head = tableOf(tables, 'head', 54)
  const unitsPerEm = head.getUint16(18)
  const locaFormat = head.getInt16(50)
  if (head.getUint32(12) !== 0x5f0f3cf5 || unitsPerEm < 16 || unitsPerEm > 16384 || locaFormat >> 1 !== 0)
    throw damaged('head')
  const glyphs = tableOf(tables, 'maxp', 6).getUint16(4)
  if (glyphs === 0) throw damaged('maxp')
  if (glyphs > fontLimits.glyphs)
    throw new FontRefused(`has ${glyphs} glyphs; at most ${fontLimits.glyphs} are allowed`)
  const measured = tableOf(tables, 'hhea', 36).getUint16(34)
  if (measured === 0 || measured > glyphs) throw damaged('hhea')
  tableOf(tables, 'hmtx', measured * 4 + (glyphs - measured) * 2)
  return { unitsPerEm, glyphs, hasLongOffsets: locaFormat === 1 }
}

function checkCmap(cmap: DataView): void {
  for (let index = cmap.getUint16(2); index > 0; index--) {
    if (cmap.getUint16(cmap.getUint32(8 * index)) === 13)
      throw new FontRefused('draws one glyph for whole ranges of characters, so no text could be read')
  }
}

const axisBytes = 20

function axesOf(tables: FontTables): FontAxis[] {
  const fvar = tables.get('fvar')
  if (fvar === undefined) return []
  const [start, count, size] = [fvar.getUint16(4), fvar.getUint16(8), fvar.getUint16(10)]
  if (count > fontLimits.axes)
    throw new FontRefused(`has ${count} axes of variation; at most ${fontLimits.axes} are allowed`)
  if (size < axisBytes) throw damaged('fvar')
  return Array.from({ length: count }, (_, index) => {
    const at = start + index * size
    const [min = 0, usual = 0, max = 0] = [4, 8, 12].map((offset) => fvar.getInt32(at + offset) / 65536)
    const tag = String.fromCharCode(...[0, 1, 2, 3].map((letter) => fvar.getUint8(at + letter)))
    return { tag, min, usual, max }
  })
}

const flags = { words: 1, scale: 8, more: 0x20, twoScales: 0x40, matrix: 0x80 } as const
const headBytes = 10

interface Size {
  readonly points: number
  /** Glyphs, each time that it is used. */
  readonly parts: number
  readonly depth: number
}

/** Checks that glyphs lie within their table, are made of a bounded number of points, and are not made of themselves. */
function checkGlyf(tables: FontTables, { glyphs, hasLongOffsets }: ReturnType<typeof checkMetrics>): void {
  const glyf = tableOf(tables, 'glyf')
  const loca = tableOf(tables, 'loca', (glyphs + 1) * (hasLongOffsets ? 4 : 2))
  const offsetOf = (glyph: number) =>
    hasLongOffsets ? loca.getUint32(glyph * 4) : loca.getUint16(glyph * 2) * 2
  const sizes = new Array<Size | 'open' | undefined>(glyphs)
  for (let glyph = 0; glyph < glyphs; glyph++) {
    if (offsetOf(glyph + 1) < offsetOf(glyph) || offsetOf(glyph + 1) > glyf.byteLength) throw damaged('loca')
  }

  function sizeOf(glyph: number, above: number): Size {
    if (glyph >= glyphs) throw damaged('glyf')
    const cached = sizes[glyph]
    if (cached === 'open') throw new FontRefused('has a glyph that is a part of itself')
    if (cached !== undefined) return cached
    if (above > fontLimits.componentDepth)
      throw new FontRefused('has glyphs of parts of parts, too many deep')
    sizes[glyph] = 'open'
    const size = measure(glyph, above)
    if (size.points > fontLimits.points)
      throw new FontRefused(`has a glyph of ${size.points} points; at most ${fontLimits.points} are allowed`)
    if (size.parts > fontLimits.components)
      throw new FontRefused(
        `has a glyph of ${size.parts} parts; at most ${fontLimits.components} are allowed`,
      )
    sizes[glyph] = size
    return size
  }

  function measure(glyph: number, above: number): Size {
    const [start, end] = [offsetOf(glyph), offsetOf(glyph + 1)]
    if (start === end) return { points: 0, parts: 1, depth: 0 }
    if (end - start < headBytes) throw damaged('glyf')
    const contours = glyf.getInt16(start)
    if (contours >= 0) return { points: pointsOf(glyf, start, end, contours), parts: 1, depth: 0 }
    let [points, parts, depth] = [0, 1, 0]
    for (const part of partsOf(glyf, start + headBytes, end)) {
      const size = sizeOf(part, above + 1)
      points += size.points
      parts += size.parts
      depth = Math.max(depth, size.depth + 1)
    }
    if (depth > fontLimits.componentDepth)
      throw new FontRefused('has glyphs of parts of parts, too many deep')
    return { points, parts, depth }
  }

  for (let glyph = 0; glyph < glyphs; glyph++) sizeOf(glyph, 0)
}

function pointsOf(glyf: DataView, start: number, end: number, contours: number): number {
  if (contours === 0) return 0
  const ends = start + headBytes
  if (ends + contours * 2 + 2 > end) throw damaged('glyf')
  let last = -1
  for (let contour = 0; contour < contours; contour++) {
    const point = glyf.getUint16(ends + contour * 2)
    if (point < last) throw damaged('glyf')
    last = point
  }
  return last + 1
}

function partsOf(glyf: DataView, start: number, end: number): number[] {
  const parts: number[] = []
  let at = start
  for (let hasMore = true; hasMore; ) {
    if (at + 4 > end || parts.length >= fontLimits.components) throw damaged('glyf')
    const flag = glyf.getUint16(at)
    parts.push(glyf.getUint16(at + 2))
    const transform = flag & flags.scale ? 2 : flag & flags.twoScales ? 4 : flag & flags.matrix ? 8 : 0
    at += 4 + (flag & flags.words ? 4 : 2) + transform
    hasMore = (flag & flags.more) !== 0
  }
  return parts
}
