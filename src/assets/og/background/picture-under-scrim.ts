import type { Rgb } from '../../../lib/color.ts'
import type { BackgroundPicture } from '../../../raster/scene.ts'
import type { Area } from '../area.ts'
import type { BrandPicture } from '../brand/brand-picture.ts'
import type { CardSize } from '../card-sizes.ts'
import type { Look, TextColors } from '../theme.ts'
import { coverPicture } from './cover-picture.ts'
import { greysThrough, inksOnPicture, needsOf, type ScrimStop, scrim, scrimOpacity } from './scrim.ts'

/** A part of the card where text may be: the scrim is as thick as it needs there, and fades out beside it. */
export interface ScrimZone {
  readonly textArea: Area
  /** The side to which it fades; to the card's edges it does not. */
  readonly fadesTo: 'end' | 'top' | 'bottom'
  readonly fadePx: number
}

export interface PictureUnderScrim {
  readonly defs: string
  readonly body: string
  readonly picture: BackgroundPicture
  readonly inks: TextColors
  /** The darkest and the lightest grey that may lie below a logo there. */
  greysIn(area: Area): readonly Rgb[]
}

/** A picture over the whole card, with a scrim of the background's colour no thicker than each zone of text needs. */
export function pictureUnderScrim(
  picture: BrandPicture,
  { size, direction }: Pick<Look, 'size' | 'direction'>,
  { ink, paleInk, background }: TextColors & { readonly background: Rgb },
  zones: readonly ScrimZone[],
): PictureUnderScrim {
  const card = { x: 0, y: 0, width: size.widthPx, height: size.heightPx }
  const cover = coverPicture(picture, card, size.widthPx, direction)
  const inks = inksOnPicture({ ink, paleInk })
  const scrims = zones.map((zone, index) => {
    const opacity = scrimOpacity(cover.luminanceIn(zone.textArea), background, needsOf(inks))
    const { area, axis, stops } = fading(zone, size, opacity)
    return { zone, opacity, ...scrim(`v${index}`, background, area, axis, stops) }
  })
  const defs = scrims.map((each) => each.defs).join('')
  const body = scrims.map((each) => each.body).join('')
  return {
    defs,
    body,
    picture: cover.picture,
    inks,
    greysIn(area) {
      const thickest = scrims
        .filter(({ zone }) => contains(zone.textArea, area))
        .reduce((most, { opacity }) => Math.max(most, opacity), 0)
      const range = cover.luminanceIn(area)
      // Between two scrims the picture may be lighter than below one, never darker or lighter than bare.
      return [...greysThrough(range, background, thickest), ...greysThrough(range, background, 1)]
    },
  }
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
