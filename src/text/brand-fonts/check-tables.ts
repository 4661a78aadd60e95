import { checkVariations } from './check-variations.ts'
import { damaged, FontRefused, type FontShape, fontLimits } from './font-limits.ts'
import { type FontTables, tableOf } from './sfnt.ts'

/** Checks what the tables of a font promise to each other, before HarfBuzz reads them. @throws FontRefused */
export function checkTables(tables: FontTables): FontShape {
  const shape = checkMetrics(tables)
  const checks: readonly (readonly [tag: string, check: () => void])[] = [
    ['cmap', () => checkCmap(tableOf(tables, 'cmap', 4), shape.glyphs)],
    ['glyf', () => tables.has('glyf') && checkGlyf(tables, shape)],
    ['CFF ', () => checkCff(tables, shape.glyphs)],
    ['fvar', () => checkVariations(tables, shape.glyphs)],
    ['GSUB', () => checkLookups(tables.get('GSUB'), 'GSUB')],
    ['GPOS', () => checkLookups(tables.get('GPOS'), 'GPOS')],
  ]
  for (const [tag, check] of checks) within(tag, check)
  if (!['glyf', 'CFF ', 'CFF2'].some((tag) => tables.has(tag)))
    throw new FontRefused('has no outlines; a font of pictures cannot be used')
  return shape
}

/** A read beyond the end of a table is a damaged table. */
function within<T>(tag: string, check: () => T): T {
  try {
    return check()
  } catch (error) {
    throw error instanceof RangeError ? damaged(tag) : error
  }
}

function checkMetrics(tables: FontTables): FontShape {
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

/** HarfBuzz checks what lookups hold, and bounds what they do; this bounds how many there are. */
function checkLookups(table: DataView | undefined, tag: string): void {
  if (table === undefined || table.byteLength === 0) return
  if (table.getUint16(0) !== 1) throw damaged(tag)
  const list = table.getUint16(8)
  const count = list === 0 ? 0 : table.getUint16(list)
  if (count > fontLimits.lookups)
    throw new FontRefused(`has ${count} lookups in "${tag}"; at most ${fontLimits.lookups} are allowed`)
  for (let index = 0; index < count; index++) {
    const lookup = list + table.getUint16(list + 2 + 2 * index)
    const subtables = table.getUint16(lookup + 4)
    for (let at = 0; at < subtables; at++) table.getUint16(lookup + table.getUint16(lookup + 6 + 2 * at))
  }
}

const subtablesMax = 32
const lastPoint = 0x10ffff

/** Checks the character map: each part lies within it, its ranges are in order, and no range names a glyph that is none. */
function checkCmap(cmap: DataView, glyphs: number): void {
  const count = cmap.getUint16(2)
  if (count === 0 || count > subtablesMax) throw damaged('cmap')
  for (let index = 0; index < count; index++) {
    const start = cmap.getUint32(4 + 8 * index + 4)
    const format = cmap.getUint16(start)
    const length = lengthOf(cmap, start, format)
    if (start + length > cmap.byteLength) throw damaged('cmap')
    if (format === 13)
      throw new FontRefused('draws one glyph for whole ranges of characters, so no text could be read')
    if (format === 12) checkGroups(cmap, start, glyphs)
    if (format === 4) checkSegments(cmap, start, length)
  }
}

function lengthOf(cmap: DataView, start: number, format: number): number {
  if (format === 14) return cmap.getUint32(start + 2)
  return format >= 8 ? cmap.getUint32(start + 4) : cmap.getUint16(start + 2)
}

function checkGroups(cmap: DataView, start: number, glyphs: number): void {
  const count = cmap.getUint32(start + 12)
  if (16 + count * 12 > cmap.byteLength - start) throw damaged('cmap')
  let last = -1
  for (let group = start + 16; group < start + 16 + count * 12; group += 12) {
    const [first, end, glyph] = [cmap.getUint32(group), cmap.getUint32(group + 4), cmap.getUint32(group + 8)]
    if (first <= last || end < first || end > lastPoint || glyph + end - first >= glyphs)
      throw damaged('cmap')
    last = end
  }
}

/** Some makers write a length that is too small for what follows, and segments that end early: both are allowed. */
function checkSegments(cmap: DataView, start: number, length: number): void {
  const doubled = cmap.getUint16(start + 6)
  if (doubled % 2 === 1 || 16 + doubled * 4 > Math.max(length, cmap.byteLength - start)) throw damaged('cmap')
  let last = -1
  for (let at = 0; at < doubled; at += 2) {
    const end = cmap.getUint16(start + 14 + at)
    const first = cmap.getUint16(start + 16 + doubled + at)
    if (first > end || first < last) throw damaged('cmap')
    last = end
  }
}

/** Limit of one glyph, in bytes: some of it may be calls of shared parts, whose depth and number HarfBuzz bounds. */
const charStringBytesMax = 40_000
const operators = { charStrings: 17 } as const

/** Checks the frame of PostScript outlines: lists lie within the table, and there is an outline for each glyph. */
function checkCff(tables: FontTables, glyphs: number): void {
  const cff = tables.get('CFF ')
  const cff2 = tables.get('CFF2')
  if (cff !== undefined) checkFirst(cff, glyphs)
  else if (cff2 !== undefined) checkSecond(cff2, glyphs)
}

function checkFirst(cff: DataView, glyphs: number): void {
  if (cff.getUint8(0) !== 1) throw damaged('CFF')
  const names = readIndex(cff, cff.getUint8(2), 2)
  const tops = readIndex(cff, names.end, 2)
  const strings = readIndex(cff, tops.end, 2)
  readIndex(cff, strings.end, 2)
  if (names.count !== 1 || tops.count !== 1)
    throw new FontRefused('is a collection of fonts; only a single font can be used')
  checkCharStrings(cff, tops.start, tops.end, 2, glyphs)
}

function checkSecond(cff: DataView, glyphs: number): void {
  if (cff.getUint8(0) !== 2) throw damaged('CFF2')
  const start = cff.getUint8(2)
  const end = start + cff.getUint16(3)
  readIndex(cff, end, 4)
  checkCharStrings(cff, start, end, 4, glyphs)
}

function checkCharStrings(
  cff: DataView,
  start: number,
  end: number,
  countBytes: 2 | 4,
  glyphs: number,
): void {
  const offset = readDict(cff, start, end).get(operators.charStrings)
  if (offset === undefined || offset <= 0) throw damaged('CFF')
  const { count, longest } = readIndex(cff, offset, countBytes)
  if (count !== glyphs) throw damaged('CFF')
  if (longest > charStringBytesMax) throw new FontRefused('has a glyph with an outline that is too long')
}

/** A list of byte strings: where the first starts, where the last ends. */
function readIndex(cff: DataView, at: number, countBytes: 2 | 4) {
  const count = countBytes === 2 ? cff.getUint16(at) : cff.getUint32(at)
  const head = at + countBytes
  if (count === 0) return { count, start: head, end: head, longest: 0 }
  const size = cff.getUint8(head)
  const data = head + 1 + (count + 1) * size
  if (size < 1 || size > 4 || data > cff.byteLength) throw damaged('CFF')
  function offsetAt(index: number): number {
    let offset = 0
    for (let byte = 0; byte < size; byte++)
      offset = offset * 256 + cff.getUint8(head + 1 + index * size + byte)
    return offset
  }
  let last = offsetAt(0)
  let longest = 0
  if (last !== 1) throw damaged('CFF')
  for (let index = 1; index <= count; index++) {
    const offset = offsetAt(index)
    if (offset < last) throw damaged('CFF')
    longest = Math.max(longest, offset - last)
    last = offset
  }
  if (data - 1 + last > cff.byteLength) throw damaged('CFF')
  return { count, start: data, end: data - 1 + last, longest }
}

/** The last operand of each operator. */
function readDict(cff: DataView, start: number, end: number): Map<number, number> {
  const found = new Map<number, number>()
  let operand = 0
  for (let at = start; at < end; ) {
    const byte = cff.getUint8(at++)
    if (byte <= 21 || (byte >= 22 && byte <= 27)) {
      found.set(byte === 12 ? 1200 + cff.getUint8(at++) : byte, operand)
    } else if (byte === 28) {
      operand = cff.getInt16(at)
      at += 2
    } else if (byte === 29) {
      operand = cff.getInt32(at)
      at += 4
    } else if (byte === 30) {
      while ((cff.getUint8(at) & 15) !== 15 && cff.getUint8(at) >> 4 !== 15) at++
      at++
    } else if (byte <= 246) operand = byte - 139
    else if (byte <= 250) operand = (byte - 247) * 256 + cff.getUint8(at++) + 108
    else operand = -(byte - 251) * 256 - cff.getUint8(at++) - 108
  }
  return found
}

const flags = { words: 1, scale: 8, more: 0x20, twoScales: 0x40, matrix: 0x80 } as const
const headBytes = 10

/** Size of a glyph, parts included. */
interface Size {
  readonly points: number
  /** Glyphs, each time that it is used. */
  readonly parts: number
  readonly depth: number
}

/** Checks that glyphs lie within their table, are made of a bounded number of points, and are not made of themselves. */
function checkGlyf(tables: FontTables, { glyphs, hasLongOffsets }: FontShape): void {
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

/** The glyphs that a composite one is made of. */
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
