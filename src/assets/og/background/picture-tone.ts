import { fromOklch, type Oklch, type Rgb, toOklch } from '../../../lib/color.ts'
import type { BrandPicture } from '../brand/brand-picture.ts'
import type { Scheme } from '../theme.ts'

/** The mean colour of a picture. */
function toneOf({ grid: { cells } }: BrandPicture): Oklch {
  const sum = { r: 0, g: 0, b: 0 }
  for (const { mean } of cells) {
    sum.r += mean.r
    sum.g += mean.g
    sum.b += mean.b
  }
  return toOklch({ r: sum.r / cells.length, g: sum.g / cells.length, b: sum.b / cells.length })
}

/**
 * Whether a picture is light or dark as a scheme is, so that a scrim of the scheme's background leaves it what it is. A light
 * scrim on a dark picture looks like milk, and a dark one on a bright picture like soot.
 */
export function suitsScheme(picture: BrandPicture, scheme: Scheme): boolean {
  const { l } = toneOf(picture)
  return scheme === 'light' ? l >= 0.72 : l <= 0.62
}

/** A background as light as another one, with a touch of the picture's hue. */
export function tintedBy(picture: BrandPicture, background: Rgb): Rgb {
  const { c, h } = toneOf(picture)
  const { l } = toOklch(background)
  return fromOklch({ l, c: Math.min(c * 0.5, l > 0.5 ? 0.022 : 0.04), h })
}
