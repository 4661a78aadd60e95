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
      return rangeOf(
        grid,
        Math.floor((fromLeft - edgePx) / cellPx),
        Math.floor((fromLeft + wanted.width + edgePx) / cellPx),
        Math.floor((top - edgePx) / rowPx),
        Math.floor((top + wanted.height + edgePx) / rowPx),
      )
    },
  }
}

/** Pixels of a neighbouring cell that scaling mixes in. */
const edgePx = 4

/** The start of a side at which the focus is at `middle`, or as near as the picture reaches. */
function shift(roomPx: number, lengthPx: number, focus: number, middle: number): number {
  return Math.min(0, Math.max(roomPx - lengthPx, middle - lengthPx * focus))
}

/** Scaling overshoots at edges, so the range is a little wider than that of the pixels. */
function rangeOf(
  { columns, rows, cells }: BrandPicture['grid'],
  fromColumn: number,
  toColumn: number,
  fromRow: number,
  toRow: number,
): LuminanceRange {
  let [min, max] = [1, 0]
  for (let row = Math.max(0, fromRow); row <= Math.min(rows - 1, toRow); row++)
    for (let column = Math.max(0, fromColumn); column <= Math.min(columns - 1, toColumn); column++) {
      const cell = cells[row * columns + column]
      min = Math.min(min, cell?.min ?? 0)
      max = Math.max(max, cell?.max ?? 1)
    }
  return min > max
    ? { min: 0, max: 1 }
    : { min: Math.max(0, min * 0.9 - 0.01), max: Math.min(1, max * 1.06 + 0.02) }
}
