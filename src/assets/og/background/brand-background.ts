import { parseHex, type Rgb } from '../../../lib/color.ts'
import type { BrandPicture } from '../brand/brand-images.ts'

/** Where a picture stands: to all edges, beside the texts (above them where the card is no wide one), or above them. */
export const pictureLayouts = ['cover', 'beside', 'top'] as const

export type PictureLayout = (typeof pictureLayouts)[number]

export interface BrandBackground {
  readonly key: string
  readonly color?: Rgb
  /** Used as each theme uses a second colour. */
  readonly second?: Rgb
  readonly picture?: BrandPicture
  /** The theme's own when absent. */
  readonly layout?: PictureLayout
}

/** @param brand with colours in hex without `#` */
export function backgroundOf({
  ground = '',
  ground2 = '',
  picture,
  pictureLayout: layout,
}: {
  readonly ground?: string
  readonly ground2?: string
  readonly picture?: BrandPicture
  readonly pictureLayout?: PictureLayout
}): BrandBackground | undefined {
  if (ground === '' && ground2 === '' && picture === undefined) return undefined
  const [color, second] = [parseHex(ground), parseHex(ground2)]
  const pictureKey = picture ? `${picture.key} ${picture.focus.x},${picture.focus.y} ${layout ?? ''}` : ''
  return {
    key: `${ground}/${ground2}/${pictureKey}`,
    ...(color && { color }),
    ...(second && { second }),
    ...(picture && { picture, ...(layout && { layout }) }),
  }
}
