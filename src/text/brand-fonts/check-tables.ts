import { checkCff } from './check-cff.ts'
import { checkGlyf } from './check-glyf.ts'
import { checkVariations } from './check-variations.ts'
import { fontLimits } from './font-limits.ts'
import { damaged, FontRefused } from './font-refused.ts'
import type { FontShape } from './font-shape.ts'
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
