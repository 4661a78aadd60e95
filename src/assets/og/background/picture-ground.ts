import type { Rgb } from '../../../lib/color.ts'
import type { Area } from '../area.ts'
import type { BrandPicture } from '../brand/brand-picture.ts'
import type { Boxes, PictureGround } from '../engine/theme-contract.ts'
import type { Look, Scheme, TextColors } from '../theme.ts'
import { pictureBesideText } from './picture-beside-text.ts'
import { suitsScheme, tintedBy } from './picture-tone.ts'
import { pictureUnderScrim, type ScrimZone } from './picture-under-scrim.ts'

/** How a theme makes room for a picture. */
interface PictureRoom {
  /** The boxes of text on the picture, and the zones of text. */
  underScrim(): { readonly boxes: Boxes; readonly zones: readonly ScrimZone[] }
  /** The boxes of text beside the picture, the part of the card that it covers, and what of it is seen, as `pictureBesideText` takes it. */
  besideText(): { readonly boxes: Boxes; readonly frame: Area; readonly opening: string }
}

/**
 * A brand's picture as background: on the whole card under a scrim where it is as light or dark as the scheme, else beside
 * the text, where a scrim would spoil it. The background has a touch of the picture's hue, unless the brand has chosen one.
 */
export function pictureGround(
  picture: BrandPicture,
  look: Look,
  scheme: Scheme,
  colors: TextColors & { readonly background: Rgb },
  room: PictureRoom,
): PictureGround {
  const isOwn = look.brandBackground?.color !== undefined
  const color = isOwn ? colors.background : tintedBy(picture, colors.background)
  if (!suitsScheme(picture, scheme)) {
    const { boxes, frame, opening } = room.besideText()
    const { body, picture: placed } = pictureBesideText(picture, look, color, frame, opening)
    return { color, body, picture: placed, boxes, logoBackgrounds: [color] }
  }
  const { boxes, zones } = room.underScrim()
  const {
    defs,
    body,
    picture: placed,
    inks,
    greysIn,
  } = pictureUnderScrim(picture, look, { ...colors, background: color }, zones)
  return { color, defs, body, picture: placed, boxes, inks, logoBackgrounds: greysIn(boxes.logo.area) }
}
