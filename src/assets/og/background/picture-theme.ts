import { type Rgb, toHex } from '../../../lib/color.ts'
import type { Area } from '../area.ts'
import type { BrandPicture } from '../brand/brand-picture.ts'
import type { CardLogo } from '../brand/card-logo.ts'
import type { Canvas } from '../canvas.ts'
import type { CardTexts, Look, PreparedTheme, Scheme, TextColors } from '../theme.ts'
import type { BrandBackground } from './brand-background.ts'
import { pictureBesideText } from './picture-beside-text.ts'
import { suitsScheme, tintedBy } from './picture-tone.ts'
import { pictureUnderScrim, type ScrimZone } from './picture-under-scrim.ts'

interface PictureComposition {
  readonly content: Area
  readonly logo: Area
}

/** How a theme's composition makes room for a picture. */
export interface PictureRoom<Composition extends PictureComposition> {
  /** The composition with text on the picture, and the zones of text. */
  underScrim(): { readonly composition: Composition; readonly zones: readonly ScrimZone[] }
  /** The composition with text beside the picture, the part of the card that it covers, and what of it is seen, as `pictureBesideText` takes it. */
  besideText(): { readonly composition: Composition; readonly frame: Area; readonly opening: string }
}

interface PictureColors extends TextColors {
  readonly background: Rgb
}

type WithLogoBackgrounds<Colors> = Colors & { readonly logoBackgrounds: readonly Rgb[] }

type Draw<Composition, Colors> = (
  texts: CardTexts,
  canvas: Canvas,
  composition: Composition,
  colors: WithLogoBackgrounds<Colors>,
  logo: CardLogo | undefined,
) => void

type PictureBackground = BrandBackground & { readonly picture: BrandPicture }

export function hasPicture(
  brandBackground: BrandBackground | undefined,
): brandBackground is PictureBackground {
  return brandBackground?.picture !== undefined
}

/**
 * A theme over a brand's picture: on the whole card under a scrim where it is as light or dark as the scheme, else beside
 * the text, where a scrim would spoil it. The background has a touch of the picture's hue, unless the brand has chosen one.
 */
export function pictureTheme<Composition extends PictureComposition, Colors extends PictureColors>(
  { picture, color }: PictureBackground,
  look: Look,
  scheme: Scheme,
  palette: Colors,
  room: PictureRoom<Composition>,
  draw: Draw<Composition, Colors>,
): PreparedTheme {
  const background = color === undefined ? tintedBy(picture, palette.background) : palette.background
  if (!suitsScheme(picture, scheme)) {
    const { composition, frame, opening } = room.besideText()
    const colors = { ...palette, background, logoBackgrounds: [background] }
    return {
      background: {
        color: toHex(background),
        ...pictureBesideText(picture, look, background, frame, opening),
      },
      content: composition.content,
      draw: (texts, canvas, logo) => draw(texts, canvas, composition, colors, logo),
    }
  }
  const { composition, zones } = room.underScrim()
  const scrimmed = pictureUnderScrim(picture, look, { ...palette, background }, zones)
  const logoBackgrounds = scrimmed.greysIn(composition.logo)
  const colors = { ...palette, background, ...scrimmed.inks, logoBackgrounds }
  return {
    background: { color: toHex(background), ...scrimmed },
    content: composition.content,
    draw: (texts, canvas, logo) => draw(texts, canvas, composition, colors, logo),
  }
}
