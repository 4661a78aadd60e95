import { fromOklch, type Oklch, type Rgb, toOklch } from '../../../lib/color.ts'
import type { GroundPicture } from '../brand/ground-picture.ts'
import type { Scheme } from '../theme.ts'

/** The mean colour of a picture. */
function toneOf({ grid: { cells } }: GroundPicture): Oklch {
  const sum = { r: 0, g: 0, b: 0 }
  for (const { mean } of cells) {
    sum.r += mean.r
    sum.g += mean.g
    sum.b += mean.b
  }
  return toOklch({ r: sum.r / cells.length, g: sum.g / cells.length, b: sum.b / cells.length })
}

/**
 * Whether a picture is light or dark as a scheme is, so that a veil of the scheme's ground leaves it what it is. A light
 * veil on a dark picture looks like milk, and a dark one on a bright picture like soot.
 */
export function suitsScheme(picture: GroundPicture, scheme: Scheme): boolean {
  const { l } = toneOf(picture)
  return scheme === 'light' ? l >= 0.72 : l <= 0.62
}

/** A ground as light as another one, with a touch of the picture's hue. */
export function tintedBy(picture: GroundPicture, ground: Rgb): Rgb {
  const { c, h } = toneOf(picture)
  const { l } = toOklch(ground)
  return fromOklch({ l, c: Math.min(c * 0.5, l > 0.5 ? 0.022 : 0.04), h })
}
