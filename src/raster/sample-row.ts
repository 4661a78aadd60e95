import type { EdgeList } from './edge-list.ts'

/** Sample lines in a pixel row. Along a line, coverage is exact. */
const samples = 16

/** Walks down the edges once, while rows are asked for in ascending order. */
export type RowSweep = ReturnType<typeof startSweep>

/** Edges that start above `top` count as starting in it. */
export function startSweep({ values, count }: EdgeList, top: number, bottom: number) {
  /** firsts[row]: 1-based number of the first edge in the row, 0 if none. */
  const firsts = new Int32Array(bottom)
  /** Next edge, for each edge, that starts in the same row. */
  const nexts = new Int32Array(count)
  /** Offsets of the edges that cross the current row. */
  const active: number[] = []
  for (let i = 0; i < count; i++) {
    const y = Math.max(top, Math.floor(upper(values, i * 4)))
    if (y >= bottom) continue
    nexts[i] = firsts[y] as number
    firsts[y] = i + 1
  }
  return { edges: values, firsts, nexts, y: top - 1, active }
}

/** Moves down to pixel row `y`, once for all stretches of the row. */
export function sweepTo(sweep: RowSweep, y: number): void {
  if (sweep.y === y) return
  const { edges, firsts, nexts } = sweep
  let kept = 0
  for (const at of sweep.active) if (lower(edges, at) > y) sweep.active[kept++] = at
  sweep.active.length = kept
  while (sweep.y < y) {
    sweep.y++
    for (let i = (firsts[sweep.y] as number) - 1; i >= 0; i = (nexts[i] as number) - 1) {
      if (lower(edges, i * 4) > y) sweep.active.push(i * 4)
    }
  }
}

/**
 * Fills `row[from]` to `row[to - 1]` with the non-zero coverage of pixel row `y`, overlaps counted once.
 * No shape may reach from outside into this range; edges beyond the picture's left side count as the side.
 */
export function sampleRow(sweep: RowSweep, y: number, row: Float32Array, from: number, to: number): void {
  const { edges, active } = sweep
  let count = 0
  for (let i = 0; i < active.length; i++) {
    const at = active[i] as number
    // Most edges are far away, which shows without a division.
    if ((edges[at] as number) < from && (edges[at + 2] as number) < from && from > 0) continue
    if ((edges[at] as number) >= to && (edges[at + 2] as number) >= to) continue
    if (touches(edges, at, y, from, to)) addLine(edges, at, count++)
  }
  row.fill(0, from, to)
  for (let i = 0; i < samples; i++) {
    sortCrossings(count, y + (i + 0.5) / samples)
    addSpans(count, row, from, to)
  }
  for (let x = from + 1; x < to; x++) row[x] = (row[x] as number) + (row[x - 1] as number)
}

function touches(edges: Float64Array, at: number, y: number, from: number, to: number): boolean {
  const a = crossing(edges, at, Math.max(y, upper(edges, at)))
  const b = crossing(edges, at, Math.min(y + 1, lower(edges, at)))
  return (Math.max(a, b) >= from || from === 0) && Math.min(a, b) < to
}

/** Numbers of one edge among `lines`: where it begins, how far it goes, its upper and its lower end. */
const lineNumbers = 6
/** The edges of a stretch, kept between calls. */
let lines = new Float64Array(64 * lineNumbers)
/** Crossings of one sample line: the edge's offset in `lines`, and the position. */
let order = new Int32Array(64)
let crossings = new Float64Array(64)

function addLine(edges: Float64Array, at: number, index: number): void {
  if (index === order.length) grow()
  const x = edges[at] as number
  const y = edges[at + 1] as number
  const line = index * lineNumbers
  lines[line] = x
  lines[line + 1] = y
  lines[line + 2] = (edges[at + 2] as number) - x
  lines[line + 3] = (edges[at + 3] as number) - y
  lines[line + 4] = upper(edges, at)
  lines[line + 5] = lower(edges, at)
  order[index] = line
}

function grow(): void {
  const [oldLines, oldOrder] = [lines, order]
  lines = new Float64Array(oldLines.length * 2)
  order = new Int32Array(oldOrder.length * 2)
  crossings = new Float64Array(order.length)
  lines.set(oldLines)
  order.set(oldOrder)
}

/** Orders edges by where they cross the line; the order hardly changes from line to line. Others go last, at infinity. */
function sortCrossings(count: number, y: number): void {
  for (let i = 0; i < count; i++) {
    const line = order[i] as number
    const isCrossed = (lines[line + 4] as number) <= y && y < (lines[line + 5] as number)
    const x = isCrossed
      ? (lines[line] as number) +
        ((y - (lines[line + 1] as number)) / (lines[line + 3] as number)) * (lines[line + 2] as number)
      : Infinity
    let place = i
    for (; place > 0 && (crossings[place - 1] as number) > x; place--) {
      crossings[place] = crossings[place - 1] as number
      order[place] = order[place - 1] as number
    }
    crossings[place] = x
    order[place] = line
  }
}

/** Adds the differences that make the running sum rise where a filled span starts and fall where it ends. */
function addSpans(count: number, row: Float32Array, from: number, to: number): void {
  let winding = 0
  for (let i = 0; i < count; i++) {
    const x = crossings[i] as number
    if (x === Infinity) return
    const before = winding
    winding += (lines[(order[i] as number) + 3] as number) > 0 ? 1 : -1
    if (before === 0) addStep(row, x, 1 / samples, from, to)
    else if (winding === 0) addStep(row, x, -1 / samples, from, to)
  }
}

function addStep(row: Float32Array, x: number, height: number, from: number, to: number): void {
  const inside = Math.max(x, from)
  const column = Math.floor(inside)
  if (column >= to) return
  const outside = inside - column
  row[column] = (row[column] as number) + height * (1 - outside)
  if (column + 1 < to) row[column + 1] = (row[column + 1] as number) + height * outside
}

function crossing(edges: Float64Array, at: number, y: number): number {
  const x0 = edges[at] as number
  const y0 = edges[at + 1] as number
  return x0 + ((y - y0) / ((edges[at + 3] as number) - y0)) * ((edges[at + 2] as number) - x0)
}

function upper(edges: Float64Array, at: number): number {
  return Math.min(edges[at + 1] as number, edges[at + 3] as number)
}
function lower(edges: Float64Array, at: number): number {
  return Math.max(edges[at + 1] as number, edges[at + 3] as number)
}
