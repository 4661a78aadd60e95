import type { Direction } from '../../../text/types.ts'
import type { BrandPicture } from '../brand/brand-images.ts'
import type { Area } from '../shapes.ts'

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
