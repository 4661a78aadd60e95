import type { Box } from '../svg/box.ts'
import { addAreas } from './add-areas.ts'
import type { EdgeList } from './edge-list.ts'
import { overlapBoxes } from './overlap-boxes.ts'
import { type RowSweep, sampleRow, startSweep, sweepTo } from './sample-row.ts'

/** Rounding of the running sum; far below one step of 255. */
const epsilon = 1 / 1024

/**
 * Calls `paintRow` for every row that the non-zero fill of `edges` touches, top to bottom, with the
 * share of each pixel that is covered (0 to 1) in `row[from]` to `row[to - 1]`.
 *
 * Two methods: signed areas, summed along the row, are exact and fast where contours lie apart. Where
 * they overlap (variable fonts, Arabic joins, the headline of Devanagari) an edge inside another shape
 * would be counted twice: such stretches of a row are sampled instead. Left over is the pixel in which
 * parts of one contour that wind opposite ways touch; no font draws that.
 */
export function eachCoveredRow(
  edges: EdgeList,
  widthPx: number,
  heightPx: number,
  paintRow: (y: number, row: Float32Array, from: number, to: number) => void,
): void {
  const { ink } = edges
  const top = Math.max(0, Math.floor(ink.top))
  const bottom = Math.min(heightPx, Math.ceil(ink.bottom))
  const from = Math.min(widthPx, Math.max(0, Math.floor(ink.left)))
  const to = Math.max(0, Math.min(widthPx, Math.ceil(ink.right)))
  if (bottom <= top || to <= from) return

  // Two cells more than pixels: an edge on the right side spills into the next.
  const stride = to - from + 2
  const areas = zeroed(stride * (bottom - top))
  addAreas(areas, stride, edges, { left: from, right: to, top, bottom })

  const boxes = overlapBoxes(edges)
  let sweep: RowSweep | undefined
  const row = new Float32Array(to)
  for (let y = top; y < bottom; y++) {
    const rowBoxes = boxes.filter((box) => box.top < y + 1 && box.bottom > y)
    const overlaps = sumRow(areas, (y - top) * stride, row, from, to, rowBoxes)
    if (overlaps.length > 0) {
      sweep ??= startSweep(edges, top, bottom)
      sweepTo(sweep, y)
      for (const { start, end } of overlaps) sampleRow(sweep, y, row, start, end)
    }
    paintRow(y, row, from, to)
  }
}

/** Kept between calls: fresh memory costs more than clearing. */
let scratch = new Float32Array(0)

function zeroed(length: number): Float32Array {
  if (scratch.length < length) scratch = new Float32Array(length)
  else scratch.fill(0, 0, length)
  return scratch
}

/**
 * Sums a row of areas into coverage. Returns the stretches, with nothing filled beside them, in which contours may overlap:
 * by the least and the largest winding of a stretch, and by the boxes, which stand from left to right as stretches do.
 */
function sumRow(
  areas: Float32Array,
  base: number,
  row: Float32Array,
  from: number,
  to: number,
  boxes: readonly Box[],
) {
  const overlaps: { readonly start: number; readonly end: number }[] = []
  let sum = 0
  let least = 0
  let most = 0
  let start = from
  let nextBox = 0
  // Of the boxes that begin before the end of the stretch.
  let reach = -Infinity
  // One pixel more than there are: the last stretch ends there.
  for (let x = from; x <= to; x++) {
    const area = x < to ? (areas[base + x - from] as number) : 0
    if (x === to || (area === 0 && sum < epsilon && sum > -epsilon)) {
      for (; nextBox < boxes.length && (boxes[nextBox] as Box).left < x; nextBox++)
        reach = Math.max(reach, (boxes[nextBox] as Box).right)
      if (x > start && (reach > start || windsTwice(least, most))) overlaps.push({ start, end: x })
      if (x < to) row[x] = 0
      sum = least = most = 0
      start = x + 1
      continue
    }
    sum += area
    row[x] = sum < 0 ? -sum : sum
    if (sum < least) least = sum
    else if (sum > most) most = sum
  }
  return overlaps
}

function windsTwice(least: number, most: number): boolean {
  return most - least > 1 + epsilon || (least < -epsilon && most > epsilon)
}
