import { type Rgb, toHex } from '../../../lib/color.ts'
import type { Area } from '../area.ts'
import { filled, wholeCard } from '../background.ts'
import type { CardLogo } from '../brand/card-logo.ts'
import type { GroundPicture } from '../brand/ground-picture.ts'
import type { Canvas } from '../canvas.ts'
import type { CardWords, Look, PreparedTheme, Scheme, TextColors } from '../theme.ts'
import type { BrandGround } from './brand-ground.ts'
import { coverPicture } from './cover-picture.ts'
import { suitsScheme, tintedBy } from './picture-tone.ts'
import { type VeilZone, veiledPicture } from './veiled-picture.ts'

interface PictureComposition {
  readonly content: Area
  readonly logo: Area
}

/** How a theme's composition makes room for a picture. */
export interface PictureRoom<Composition extends PictureComposition> {
  /** Words on the picture, and where they may stand. */
  veiled(): { readonly composition: Composition; readonly zones: readonly VeilZone[] }
  /** Words beside the picture, the part of the card that it covers, and what of it is seen, as `framedPicture` takes it. */
  framed(): { readonly composition: Composition; readonly frame: Area; readonly opening: string }
}

interface PictureColors extends TextColors {
  readonly background: Rgb
}

type WithLogoGrounds<Colors> = Colors & { readonly logoGrounds: readonly Rgb[] }

type Draw<Composition, Colors> = (
  words: CardWords,
  canvas: Canvas,
  composition: Composition,
  colors: WithLogoGrounds<Colors>,
  logo: CardLogo | undefined,
) => void

type PictureGround = BrandGround & { readonly picture: GroundPicture }

export function hasPicture(ground: BrandGround | undefined): ground is PictureGround {
  return ground?.picture !== undefined
}

/**
 * A theme over a brand's picture: on the whole card under a veil where it is as light or dark as the scheme, else beside
 * the words, where a veil would spoil it. The ground has a touch of the picture's hue, unless the brand has chosen one.
 */
export function pictureTheme<Composition extends PictureComposition, Colors extends PictureColors>(
  { picture, color }: PictureGround,
  look: Look,
  scheme: Scheme,
  palette: Colors,
  room: PictureRoom<Composition>,
  draw: Draw<Composition, Colors>,
): PreparedTheme {
  const background = color === undefined ? tintedBy(picture, palette.background) : palette.background
  if (!suitsScheme(picture, scheme)) {
    const { composition, frame, opening } = room.framed()
    const colors = { ...palette, background, logoGrounds: [background] }
    return {
      background: framedPicture(picture, look, background, frame, opening),
      content: composition.content,
      draw: (words, canvas, logo) => draw(words, canvas, composition, colors, logo),
    }
  }
  const { composition, zones } = room.veiled()
  const veiled = veiledPicture(picture, look, { ...palette, background }, zones)
  const logoGrounds = veiled.greysIn(composition.logo)
  const colors = { ...palette, background, ...veiled.inks, logoGrounds }
  return {
    background: veiled.background,
    content: composition.content,
    draw: (words, canvas, logo) => draw(words, canvas, composition, colors, logo),
  }
}

/**
 * A picture in a part of the card that words leave free, in its own colours: it covers `frame` and is seen through
 * `opening`, path data that winds counterclockwise, in a ground of one colour.
 */
function framedPicture(
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
