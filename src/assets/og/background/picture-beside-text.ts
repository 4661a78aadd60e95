import type { Rgb } from '../../../lib/color.ts'
import type { BackgroundPicture } from '../../../raster/scene.ts'
import type { Area } from '../area.ts'
import { filled, wholeCard } from '../background.ts'
import type { BrandPicture } from '../brand/brand-picture.ts'
import type { Look } from '../theme.ts'
import { coverPicture } from './cover-picture.ts'

/**
 * A picture in a part of the card that the text leaves free, in its own colours: it covers `frame` and is seen through
 * `opening`, path data that winds counterclockwise, in a background of one colour.
 */
export function pictureBesideText(
  picture: BrandPicture,
  { size, direction }: Pick<Look, 'size' | 'direction'>,
  background: Rgb,
  frame: Area,
  opening: string,
): { readonly picture: BackgroundPicture; readonly body: string } {
  return {
    picture: coverPicture(picture, frame, size.widthPx, direction).picture,
    body: filled(background, wholeCard(size) + opening),
  }
}
