import { contrastRatio, mix, type Rgb, relativeLuminance, toHex } from '../../../lib/color.ts'
import { idPrefix } from '../../../raster/scene.ts'
import { shortNumber } from '../../../svg/short-number.ts'
import type { Area } from '../area.ts'
import { rectangle } from '../shapes.ts'
import type { TextColors } from '../theme.ts'
import type { LuminanceRange } from './cover-picture.ts'

/** A text colour with the contrast that it needs on whatever is under it. */
export interface ContrastNeed {
  readonly color: Rgb
  readonly ratio: number
}

/** What the words of a card need, with room for rounding. */
export function needsOf({ ink, paleInk }: TextColors): readonly ContrastNeed[] {
  return [
    { color: ink, ratio: 7.15 },
    { color: paleInk, ratio: 4.65 },
  ]
}

/** The inks on a picture: the pale one is stronger, so that the veil may be thinner. */
export function inksOnPicture({ ink, paleInk }: TextColors): TextColors {
  return { ink, paleInk: mix(paleInk, ink, 0.65) }
}

const opacityStep = 0.02

/** The least opacity, 0 to 1, of a veil over a picture at which the texts can be read. */
export function veilOpacity(range: LuminanceRange, veil: Rgb, needs: readonly ContrastNeed[]): number {
  for (let opacity = 0; opacity < 1; opacity += opacityStep)
    if (isReadable(luminanceBelow(range, veil, opacity), needs)) return opacity
  return 1
}

/** The luminances that may show through a veil, as two greys. */
export function greysThrough(range: LuminanceRange, veil: Rgb, opacity: number): readonly Rgb[] {
  const { min, max } = luminanceBelow(range, veil, opacity)
  return [min, max].map(greyOf)
}

function isReadable({ min, max }: LuminanceRange, needs: readonly ContrastNeed[]): boolean {
  return needs.every(
    ({ color, ratio }) =>
      contrastRatio(color, greyOf(min)) >= ratio &&
      contrastRatio(color, greyOf(max)) >= ratio &&
      isBeyond(relativeLuminance(color), min, max),
  )
}

/** A text between the darkest and the lightest pixel meets its own luminance somewhere. */
function isBeyond(luminance: number, min: number, max: number): boolean {
  return luminance < min || luminance > max
}

/**
 * Bounds of the luminance through a veil. Colours of one luminance are not equally light through it: blending happens
 * in sRGB, where greys become lightest and pure colours darkest. So greys bound it from above, a mixture of black and white
 * pixels from below.
 */
function luminanceBelow({ min, max }: LuminanceRange, veil: Rgb, opacity: number): LuminanceRange {
  const [black, white] = [0, 255].map((level) =>
    relativeLuminance(mix({ r: level, g: level, b: level }, veil, opacity)),
  ) as [number, number]
  return {
    min: black + (white - black) * min,
    max: relativeLuminance(mix(greyOf(max), veil, opacity)),
  }
}

function greyOf(luminance: number): Rgb {
  const share = luminance <= 0.0031308 ? 12.92 * luminance : 1.055 * luminance ** (1 / 2.4) - 0.055
  const level = Math.min(255, Math.max(0, share * 255))
  return { r: level, g: level, b: level }
}

/** How opaque a veil is at a place along its axis, in px. */
export type VeilStop = readonly [px: number, opacity: number]

/** A veil whose opacity changes along one axis, as SVG; `name` tells its gradient from others. */
export function veil(
  name: string,
  color: Rgb,
  area: Area,
  axis: 'x' | 'y',
  stops: readonly VeilStop[],
): { readonly defs: string; readonly body: string } {
  const id = `${idPrefix}${name}`
  const length = axis === 'x' ? area.width : area.height
  const start = axis === 'x' ? area.x : area.y
  const fill = toHex(color)
  const marks = smooth(stops).map(
    ([px, opacity]) =>
      `<stop offset="${shortNumber((px - start) / length, 4)}" stop-color="${fill}" stop-opacity="${shortNumber(opacity, 3)}"/>`,
  )
  const direction = axis === 'x' ? '' : ' x2="0" y2="1"'
  return {
    defs: `<linearGradient id="${id}"${direction}>${marks.join('')}</linearGradient>`,
    body: `<path fill="url(#${id})" d="${rectangle(area.x, area.y, area.width, area.height)}"/>`,
  }
}

/** Stops between those that differ, so that a veil ends without a visible edge. */
function smooth(stops: readonly VeilStop[]): readonly VeilStop[] {
  return stops.flatMap(([px, opacity], index) => {
    const [fromPx, from] = stops[index - 1] ?? [px, opacity]
    if (from === opacity) return [[px, opacity] as const]
    const between = [0.25, 0.5, 0.75].map((share) => {
      const eased = share * share * (3 - 2 * share)
      return [fromPx + (px - fromPx) * share, from + (opacity - from) * eased] as const
    })
    return [...between, [px, opacity] as const]
  })
}
