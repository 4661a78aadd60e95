import { contrastRatio, fromOklch, parseHex, toHex, toOklch } from '../../lib/color.ts'
import { memo } from '../../lib/memo.ts'

/** A part of a badge in the style `soft`. */
interface SoftColors {
  readonly background: string
  readonly ink: string
}

const inkContrastMin = 4.6

/** A tint of a colour, and a dark shade of it that is readable on the tint. */
export const softColors = memo((color: string): SoftColors => {
  const { c, h } = toOklch(parseHex(color) ?? { r: 0, g: 0, b: 0 })
  const background = fromOklch({ l: 0.93, c: Math.min(c, 0.05), h })
  let ink = fromOklch({ l: 0.44, c: Math.min(c, 0.13), h })
  for (let l = 0.42; contrastRatio(ink, background) < inkContrastMin && l > 0; l -= 0.02)
    ink = fromOklch({ l, c: Math.min(c, 0.13), h })
  return { background: toHex(background), ink: toHex(ink) }
}, 1000)
