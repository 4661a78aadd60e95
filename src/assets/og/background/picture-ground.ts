import { fromOklch, type Oklch, type Rgb, toHex, toOklch } from '../../../lib/color.ts'
import { shortNumber } from '../../../svg/svg-values.ts'
import type { BrandPicture } from '../brand/brand-images.ts'
import type { CardSize } from '../card-sizes.ts'
import type { Boxes, PictureGround } from '../engine/theme-contract.ts'
import { type Area, filled, wholeCard } from '../shapes.ts'
import type { Look, Scheme, TextColors } from '../theme.ts'
import { coverPicture } from './cover-picture.ts'
import { greysThrough, inksOnPicture, needsOf, type ScrimStop, scrim, scrimOpacity } from './scrim.ts'

interface UnderScrim {
  readonly boxes: Boxes
  readonly zones: readonly ScrimZone[]
  /** The part without texts, in whose middle the focus of the picture is as far as possible. */
  readonly shown?: Area
}

/** The room that a theme makes for a picture. */
interface PictureRoom {
  underScrim(): UnderScrim
  /** The boxes of text beside the picture, the part of the card that it covers, and counterclockwise path data of what is seen. */
  besideText(): { readonly boxes: Boxes; readonly frame: Area; readonly opening: string }
}

/**
 * A brand's picture as background: on the whole card under a scrim where it is as light or dark as the scheme, else beside the text,
 * where a scrim would spoil it. The background has a touch of the picture's hue, unless the brand has chosen one.
 */
export function pictureGround(
  picture: BrandPicture,
  look: Look,
  scheme: Scheme,
  colors: Inks,
  room: PictureRoom,
): PictureGround {
  const { size, direction, brandBackground } = look
  if (brandBackground?.layout === undefined && suitsScheme(picture, scheme))
    return pictureUnderScrim(picture, look, colors, room.underScrim())
  const { boxes, frame, opening } = room.besideText()
  const color = colorBeside(picture, look, colors)
  const covering = coverPicture(picture, frame, size.widthPx, direction)
  const body = filled(color, wholeCard(size) + opening)
  return { color, body, picture: covering.picture, boxes, logoBackgrounds: [color] }
}

type Inks = TextColors & { readonly background: Rgb }

/** The picture on the whole card, and a scrim where texts may be. */
export function pictureUnderScrim(
  picture: BrandPicture,
  look: Look,
  colors: Inks,
  { boxes, zones, shown }: UnderScrim,
): PictureGround {
  const { size, direction } = look
  const color = colorBeside(picture, look, colors)
  const whole = { x: 0, y: 0, width: size.widthPx, height: size.heightPx }
  const covering = coverPicture(picture, whole, size.widthPx, direction, shown)
  const inks = inksOnPicture(colors)
  // A scrim is no thicker than its zone of text needs.
  const scrims = zones.map((zone, index) => {
    const opacity = scrimOpacity(covering.luminanceIn(zone.textArea), color, needsOf(inks))
    const { area, axis, stops } = fading(zone, size, opacity)
    return { zone, opacity, ...scrim(`v${index}`, color, area, axis, stops) }
  })
  const logoArea = boxes.logo.area
  const thickest = scrims
    .filter(({ zone }) => contains(zone.textArea, logoArea))
    .reduce((most, { opacity }) => Math.max(most, opacity), 0)
  const range = covering.luminanceIn(logoArea)
  return {
    color,
    defs: scrims.map((each) => each.defs).join(''),
    body: scrims.map((each) => each.body).join(''),
    picture: covering.picture,
    boxes,
    inks,
    // Between two scrims the picture may be lighter than below one, never darker or lighter than bare.
    logoBackgrounds: [...greysThrough(range, color, thickest), ...greysThrough(range, color, 1)],
  }
}

/** The picture on the whole card under an even scrim, where texts are in its middle. */
export function coveredGround(picture: BrandPicture, look: Look, colors: Inks, boxes: Boxes): PictureGround {
  const { size, direction } = look
  const { widthPx, heightPx } = size
  const color = colorBeside(picture, look, colors)
  const cover = coverPicture(picture, { x: 0, y: 0, width: widthPx, height: heightPx }, widthPx, direction)
  const inks = inksOnPicture(colors)
  const range = cover.luminanceIn({
    ...boxes.content,
    x: boxes.text.x ?? 0,
    width: boxes.text.widthPx ?? widthPx,
  })
  const opacity = scrimOpacity(range, color, needsOf(inks))
  return {
    color,
    body: `<path fill="${toHex(color)}" fill-opacity="${shortNumber(opacity, 3)}" d="${wholeCard(size)}"/>`,
    picture: cover.picture,
    boxes,
    inks,
    // Its hue counts where the scrim is thick.
    logoBackgrounds: [color, ...greysThrough(range, color, opacity)],
  }
}

/** A part of the card where text may be: the scrim is as thick as it needs there, and fades out beside it. */
export interface ScrimZone {
  readonly textArea: Area
  /** The side to which it fades; to the card's edges it does not. */
  readonly fadesTo: 'end' | 'top' | 'bottom'
  readonly fadePx: number
}

function contains(outer: Area, inner: Area): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  )
}

/** The painted area of a zone, to the edges of the card, and its opacity along the axis. */
function fading({ textArea, fadesTo, fadePx }: ScrimZone, { widthPx, heightPx }: CardSize, opacity: number) {
  if (fadesTo === 'end') {
    const solid = textArea.x + textArea.width
    const end = Math.min(widthPx, solid + fadePx)
    const stops: readonly ScrimStop[] = [
      [0, opacity],
      [solid, opacity],
      [end, opacity * (1 - (end - solid) / fadePx)],
    ]
    return { area: { x: 0, y: 0, width: end, height: heightPx }, axis: 'x' as const, stops }
  }
  if (fadesTo === 'top') {
    const start = Math.max(0, textArea.y - fadePx)
    const stops: readonly ScrimStop[] = [
      [start, opacity * (1 - (textArea.y - start) / fadePx)],
      [textArea.y, opacity],
      [heightPx, opacity],
    ]
    return { area: { x: 0, y: start, width: widthPx, height: heightPx - start }, axis: 'y' as const, stops }
  }
  const solid = textArea.y + textArea.height
  const stops: readonly ScrimStop[] = [
    [0, opacity],
    [solid, opacity],
    [solid + fadePx, 0],
  ]
  return { area: { x: 0, y: 0, width: widthPx, height: solid + fadePx }, axis: 'y' as const, stops }
}

function toneOf({ grid: { cells } }: BrandPicture): Oklch {
  const sum = { r: 0, g: 0, b: 0 }
  for (const { mean } of cells) {
    sum.r += mean.r
    sum.g += mean.g
    sum.b += mean.b
  }
  return toOklch({ r: sum.r / cells.length, g: sum.g / cells.length, b: sum.b / cells.length })
}

/** The scheme in which a picture needs the thinner scrim. */
export function schemeOf(picture: BrandPicture): Scheme {
  return toneOf(picture).l > 0.65 ? 'light' : 'dark'
}

/** A light scrim on a dark picture looks like milk, and a dark one on a bright picture like soot. */
function suitsScheme(picture: BrandPicture, scheme: Scheme): boolean {
  const { l } = toneOf(picture)
  return scheme === 'light' ? l >= 0.72 : l <= 0.62
}

/** The background beside a picture, and its scrim, with a touch of its hue, unless the brand has chosen one. */
export function colorBeside(picture: BrandPicture, { brandBackground }: Look, { background }: Inks): Rgb {
  if (brandBackground?.color !== undefined) return background
  const { c, h } = toneOf(picture)
  const { l } = toOklch(background)
  return fromOklch({ l, c: Math.min(c * 0.5, l > 0.5 ? 0.022 : 0.04), h })
}
