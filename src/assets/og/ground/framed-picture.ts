import { type Rgb, toHex } from '../../../lib/color.ts'
import type { Area } from '../area.ts'
import { filled, wholeCard } from '../background.ts'
import type { GroundPicture } from '../brand/ground-picture.ts'
import type { Look, PreparedTheme } from '../theme.ts'
import { coverPicture } from './cover-picture.ts'

/**
 * A picture in a part of the card that words leave free, in its own colours: it covers `frame` and is seen through
 * `opening`, path data that winds counterclockwise, in a ground of one colour.
 */
export function framedPicture(
  picture: GroundPicture,
  { size, direction }: Pick<Look, 'size' | 'direction'>,
  ground: Rgb,
  frame: Area,
  opening: string,
): PreparedTheme['background'] {
  return {
    color: toHex(ground),
    picture: coverPicture(picture, frame, size.widthPx, direction).picture,
    body: filled(ground, wholeCard(size) + opening),
  }
}
