import type { Box } from '../svg/box.ts'
import { addAreas } from './add-areas.ts'
import type { EdgeList } from './edge-list.ts'
import { overlapBoxes } from './overlap-boxes.ts'
import { type RowSweep, sampleRow, startSweep, sweepTo } from './sample-row.ts'

/** Rounding of the running sum; far below one step of 255. */
const epsilon = 1 / 1024

/**
 * Calls `paintStretch` for every stretch of a row that the non-zero fill of `edges` touches, top to bottom and left to right,
 * with the share of each pixel that is covered (0 to 1) in `row[from]` to `row[to - 1]`.
 *
 * Two methods: signed areas, summed along the row, are exact and fast where contours lie apart. Where
 * they overlap (variable fonts, Arabic joins, the headline of Devanagari) an edge inside another shape
 * would be counted twice: such stretches of a row are sampled instead. Known error: the pixel
 * in which opposite windings of one contour touch, which no font draws.
 */
export function eachCoveredStretch(
  edges: EdgeList,
  widthPx: number,
  heightPx: number,
  paintStretch: (y: number, row: Float32Array, from: number, to: number) => void,
): void {
  const { ink } = edges
  const top = Math.max(0, Math.floor(ink.top))
  const bottom = Math.min(heightPx, Math.ceil(ink.bottom))
  const left = Math.min(widthPx, Math.max(0, Math.floor(ink.left)))
  const right = Math.max(0, Math.min(widthPx, Math.ceil(ink.right)))
  if (bottom <= top || right <= left) return

  // Two cells more than pixels: an edge on the right side spills into the next. Even: cells are compared in pairs.
  const stride = (right - left + 3) & ~1
  const areas = zeroed(stride * (bottom - top))
  addAreas(areas.cells, stride, edges, { left, right, top, bottom })

  const boxes = overlapBoxes(edges)
  let sweep: RowSweep | undefined
  const row = new Float32Array(right)
  const stretches: Stretches = { starts: [], ends: [], areTwice: [] }
  for (let y = top; y < bottom; y++) {
    const rowBoxes = boxes.filter((box) => box.top < y + 1 && box.bottom > y)
    const count = sumRow(areas, (y - top) * stride - left, row, left, right, stretches)
    let nextBox = 0
    // Right end of the boxes that begin before the end of the stretch.
    let reach = -Infinity
    for (let i = 0; i < count; i++) {
      const start = stretches.starts[i] as number
      const end = stretches.ends[i] as number
      for (; nextBox < rowBoxes.length && (rowBoxes[nextBox] as Box).left < end; nextBox++)
        reach = Math.max(reach, (rowBoxes[nextBox] as Box).right)
      if (reach > start || stretches.areTwice[i]) {
        sweep ??= startSweep(edges, top, bottom)
        sweepTo(sweep, y)
        sampleRow(sweep, y, row, start, end)
      }
      paintStretch(y, row, start, end)
    }
  }
}

/** One piece of memory, seen as single cells and as pairs of them. */
interface Areas {
  readonly cells: Float32Array
  readonly pairs: Float64Array
}

/** Kept between calls: fresh memory costs more than clearing. */
let scratch: Areas = { cells: new Float32Array(0), pairs: new Float64Array(0) }

/** `length` is even. */
function zeroed(length: number): Areas {
  if (scratch.cells.length < length) {
    const cells = new Float32Array(length)
    scratch = { cells, pairs: new Float64Array(cells.buffer) }
  } else scratch.cells.fill(0, 0, length)
  return scratch
}

/** Parts of a row with nothing filled beside them, and whether a part's winding shows that contours overlap in it. */
interface Stretches {
  readonly starts: number[]
  readonly ends: number[]
  readonly areTwice: boolean[]
}

/** Sums a row of areas into coverage, pixel `x` from cell `base + x`. Returns how many stretches there are. */
function sumRow(
  areas: Areas,
  base: number,
  row: Float32Array,
  left: number,
  right: number,
  { starts, ends, areTwice }: Stretches,
): number {
  const { cells } = areas
  const last = base + right
  let count = 0
  for (let at = nextArea(areas, base + left, last); at < last; at = nextArea(areas, at, last)) {
    starts[count] = at - base
    let sum = 0
    let least = 0
    let most = 0
    while (at < last) {
      const area = cells[at] as number
      if (area === 0) {
        if (sum < epsilon && sum > -epsilon) break
        const coverage = sum < 0 ? -sum : sum
        for (const next = nextArea(areas, at, last); at < next; at++) row[at - base] = coverage
        continue
      }
      sum += area
      row[at - base] = sum < 0 ? -sum : sum
      if (sum < least) least = sum
      else if (sum > most) most = sum
      at++
    }
    ends[count] = at - base
    areTwice[count] = windsTwice(least, most)
    count++
  }
  return count
}

/** The first cell from `at` on that is not zero, `end` where there is none. */
function nextArea({ cells, pairs }: Areas, at: number, end: number): number {
  let next = at
  if (next % 2 === 1) {
    if (next >= end || cells[next] !== 0) return next
    next++
  }
  let pair = next / 2
  for (const lastPair = Math.floor(end / 2); pair < lastPair && pairs[pair] === 0; ) pair++
  for (next = pair * 2; next < end && cells[next] === 0; ) next++
  return next
}

function windsTwice(least: number, most: number): boolean {
  return most - least > 1 + epsilon || (least < -epsilon && most > epsilon)
}
