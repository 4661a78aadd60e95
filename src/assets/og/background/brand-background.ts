import { parseHex, type Rgb } from '../../../lib/color.ts'
import type { BrandPicture } from '../brand/brand-images.ts'

export interface BrandBackground {
  readonly key: string
  readonly color?: Rgb
  /** Used as each theme uses a second colour. */
  readonly second?: Rgb
  readonly picture?: BrandPicture
}

/** @param brand with colours in hex without `#` */
export function backgroundOf(
  brand: { readonly ground?: string; readonly ground2?: string; readonly picture?: BrandPicture } | undefined,
): BrandBackground | undefined {
  if (brand?.ground === undefined && brand?.ground2 === undefined && brand?.picture === undefined)
    return undefined
  const { ground = '', ground2 = '', picture } = brand
  const [color, second] = [parseHex(ground), parseHex(ground2)]
  const pictureKey = picture ? `${picture.key} ${picture.focus.x},${picture.focus.y}` : ''
  return {
    key: `${ground}/${ground2}/${pictureKey}`,
    ...(color && { color }),
    ...(second && { second }),
    ...(picture && { picture }),
  }
}
