import { contrastRatio, mix, type Rgb, relativeLuminance, srgbOf, toHex } from '../../../lib/color.ts'
import { idPrefix } from '../../../raster/scene.ts'
import { shortNumber } from '../../../svg/svg-values.ts'
import type { Direction } from '../../../text/types.ts'
import type { BrandPicture } from '../brand/brand-images.ts'
import { type Area, rectangle } from '../shapes.ts'
import type { CardSize, TextColors } from '../theme.ts'

/** Contrasts that the texts of a card keep on a picture, with room for rounding in two scrims. */
export const scrimContrastMin = { title: 7.3, text: 4.75 } as const

/** The inks on a picture: the pale one is stronger, so that the scrim may be thinner. */
export function inksOnPicture({ ink, paleInk }: TextColors): TextColors {
  return { ink, paleInk: mix(paleInk, ink, 0.65) }
}

/** Halvings of the range of opacities: the last one is a hundredth. */
const halvings = 7

/** The least opacity, 0 to 1, of a scrim over a picture at which the texts can be read. */
export function scrimOpacity(range: LuminanceRange, scrim: Rgb, inks: TextColors): number {
  const colors = colorsIn(range)
  if (isReadable(luminanceThrough(colors, scrim, 0), inks)) return 0
  let [low, high] = [0, 1]
  for (let step = 0; step < halvings; step++) {
    const middle = (low + high) / 2
    if (isReadable(luminanceThrough(colors, scrim, middle), inks)) high = middle
    else low = middle
  }
  return high
}

/** The colours that may show through a scrim, as greys from the darkest to the lightest. */
export function greysThrough(range: LuminanceRange, scrim: Rgb, opacity: number): readonly Rgb[] {
  const { min, max } = luminanceThrough(colorsIn(range), scrim, opacity)
  const [from, to] = [greyOf(min), greyOf(max)]
  return Array.from({ length: 9 }, (_, index) => mix(from, to, index / 8))
}

function isReadable({ min, max }: LuminanceRange, { ink, paleInk }: TextColors): boolean {
  const { title, text } = scrimContrastMin
  return [[ink, title] as const, [paleInk, text] as const].every(([color, ratio]) => {
    const luminance = relativeLuminance(color)
    // A text between the darkest and the lightest pixel meets its own luminance somewhere.
    if (luminance >= min && luminance <= max) return false
    return [min, max].every((below) => contrastRatio(color, greyOf(below)) >= ratio)
  })
}

const levels = [0, 36, 73, 109, 146, 182, 219, 255]

const lattice = levels.flatMap((r) =>
  levels.flatMap((g) =>
    levels.map((b) => ({ color: { r, g, b }, luminance: relativeLuminance({ r, g, b }) })),
  ),
)

/** Colours that a picture of this range may have: blending in sRGB differs among colours of one luminance, so all are tried. */
function colorsIn({ min, max }: LuminanceRange): readonly Rgb[] {
  const inside = lattice.filter(({ luminance }) => luminance > min - 0.02 && luminance < max + 0.02)
  return [greyOf(min), greyOf(max), ...inside.map(({ color }) => color)]
}

function luminanceThrough(colors: readonly Rgb[], scrim: Rgb, opacity: number): LuminanceRange {
  const luminances = colors.map((color) => relativeLuminance(mix(color, scrim, opacity)))
  return { min: Math.min(...luminances), max: Math.max(...luminances) }
}

function greyOf(luminance: number): Rgb {
  const level = 255 * srgbOf(luminance)
  return { r: level, g: level, b: level }
}

/** The share of a scrim that is there on its way in: it ends without a visible edge. */
const eased = [0, 0.156, 0.5, 0.844, 1]

/** A scrim below `y` on the whole width, that fades in from `fadeY`, as SVG. */
export function scrim(color: Rgb, size: CardSize, fadeY: number, y: number, opacity: number) {
  const { widthPx, heightPx } = size
  const d = rectangle(0, fadeY, widthPx, heightPx - fadeY)
  const fill = toHex(color)
  if (y === 0) return { body: `<path fill="${fill}" fill-opacity="${shortNumber(opacity, 3)}" d="${d}"/>` }
  const id = `${idPrefix}v`
  const fade = (y - fadeY) / (heightPx - fadeY)
  const stops = eased.map((share, index) => {
    const offset = shortNumber((fade * index) / (eased.length - 1), 4)
    return `<stop offset="${offset}" stop-color="${fill}" stop-opacity="${shortNumber(opacity * share, 3)}"/>`
  })
  return {
    defs: `<linearGradient id="${id}" x2="0" y2="1">${stops.join('')}</linearGradient>`,
    body: `<path fill="url(#${id})" d="${d}"/>`,
  }
}

/** WCAG relative luminances, 0 to 1. */
export interface LuminanceRange {
  readonly min: number
  readonly max: number
}

/** Places a picture so that it covers an area, with its focus as near to the middle of what is `shown` as that allows. */
export function coverPicture(
  picture: BrandPicture,
  area: Area,
  cardWidthPx: number,
  direction: Direction,
  shown: Area = area,
) {
  const { widthPx, heightPx, focus, jpeg, grid } = picture
  function leftOf(x: number, width: number) {
    return direction === 'rtl' ? cardWidthPx - x - width : x
  }
  const scale = Math.max(area.width / widthPx, area.height / heightPx)
  const [width, height] = [widthPx * scale, heightPx * scale]
  const left = leftOf(area.x, area.width)
  const middle = leftOf(shown.x, shown.width) + shown.width / 2
  const x = left + shift(area.width, width, focus.x / 100, middle - left)
  const y = area.y + shift(area.height, height, focus.y / 100, shown.y + shown.height / 2 - area.y)
  return {
    /** x from the left side: a picture is not mirrored with its card. */
    picture: { jpeg, x, y, widthPx: width, heightPx: height },
    /** The luminances of the picture in an area; x counts from the start side. */
    luminanceIn(wanted: Area): LuminanceRange {
      const fromLeft = leftOf(wanted.x, wanted.width) - x
      const top = wanted.y - y
      const [cellPx, rowPx] = [width / grid.columns, height / grid.rows]
      const columns = [(fromLeft - edgePx) / cellPx, (fromLeft + wanted.width + edgePx) / cellPx] as const
      const rows = [(top - edgePx) / rowPx, (top + wanted.height + edgePx) / rowPx] as const
      return rangeOf(grid, columns, rows)
    },
  }
}

/** Pixels of a neighbouring cell that scaling mixes in. */
const edgePx = 4

/** The start of a side at which the focus is at `middle`, or as near as the picture reaches. */
function shift(roomPx: number, lengthPx: number, focus: number, middle: number): number {
  return Math.min(0, Math.max(roomPx - lengthPx, middle - lengthPx * focus))
}

type Reach = readonly [from: number, to: number]

/** Scaling overshoots at edges, so the range is a little wider than that of the pixels. */
function rangeOf({ columns, cells }: BrandPicture['grid'], across: Reach, down: Reach): LuminanceRange {
  const isIn = (at: number, [from, to]: Reach) => at >= Math.floor(from) && at <= Math.floor(to)
  const seen = cells.filter((_, at) => isIn(at % columns, across) && isIn(Math.floor(at / columns), down))
  const [min, max] = [
    Math.min(1, ...seen.map((cell) => cell.min)),
    Math.max(0, ...seen.map((cell) => cell.max)),
  ]
  return min > max
    ? { min: 0, max: 1 }
    : { min: Math.max(0, min * 0.9 - 0.01), max: Math.min(1, max * 1.06 + 0.02) }
}
