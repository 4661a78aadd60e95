import type { FontAxis } from './font-facts.ts'
import { damaged, FontRefused, fontLimits } from './font-limits.ts'
import type { FontTables } from './sfnt.ts'

const axisBytes = 20

/** Checks the axes of a variable font, and that its changes of outlines are for these axes and these glyphs. */
export function checkVariations(tables: FontTables, glyphs: number): void {
  const axes = axesOf(tables)
  for (const { min, usual, max } of axes) if (!(min <= usual && usual <= max)) throw damaged('fvar')
  const gvar = tables.get('gvar')
  if (gvar === undefined) return
  if (gvar.getUint16(4) !== axes.length || gvar.getUint16(12) !== glyphs) throw damaged('gvar')
  const isLong = (gvar.getUint16(14) & 1) === 1
  const data = gvar.getUint32(16)
  let last = 0
  for (let glyph = 0; glyph <= glyphs; glyph++) {
    const offset = isLong ? gvar.getUint32(20 + glyph * 4) : gvar.getUint16(20 + glyph * 2) * 2
    if (offset < last || data + offset > gvar.byteLength) throw damaged('gvar')
    last = offset
  }
}

/** The axes of a variable font; none of a static one. */
export function axesOf(tables: FontTables): FontAxis[] {
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
