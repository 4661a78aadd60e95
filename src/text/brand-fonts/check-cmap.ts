import { damaged, FontRefused } from './font-refused.ts'

const subtablesMax = 32
const lastPoint = 0x10ffff

/** Checks the character map: each part lies within it, its ranges are in order, and no range names a glyph that is none. */
export function checkCmap(cmap: DataView, glyphs: number): void {
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
