import { type Rgb, toHex } from '../../../lib/color.ts'
import type { Area } from '../area.ts'
import { filled, wholeCard } from '../background.ts'
import type { BrandPicture } from '../brand/brand-picture.ts'
import type { Look, PreparedTheme } from '../theme.ts'
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
): PreparedTheme['background'] {
  return {
    color: toHex(background),
    picture: coverPicture(picture, frame, size.widthPx, direction).picture,
    body: filled(background, wholeCard(size) + opening),
  }
}
