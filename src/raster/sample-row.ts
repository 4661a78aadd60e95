import type { EdgeList } from './edge-list.ts'

/** Sample lines in a pixel row. Along a line, coverage is exact. */
const samples = 16

/** Walks down the edges once, while rows are asked for in ascending order. */
export type RowSweep = ReturnType<typeof startSweep>

/** Edges that start above `top` count as starting in it. */
export function startSweep({ values, count }: EdgeList, top: number, bottom: number) {
  /** By row: the first edge that starts there, as its number plus 1; 0 for none. */
  const firsts = new Int32Array(bottom)
  /** By edge: the next one that starts in the same row. */
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

/** Moves down to pixel row `y`. */
export function sweepTo(sweep: RowSweep, y: number): void {
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
  const { edges } = sweep
  const inside: number[] = []
  for (const at of sweep.active) if (touches(edges, at, y, from, to)) inside.push(at)
  const crossings = new Float64Array(inside.length)
  row.fill(0, from, to)
  for (let i = 0; i < samples; i++) {
    sortCrossings(edges, inside, crossings, y + (i + 0.5) / samples)
    addSpans(edges, inside, crossings, row, from, to)
  }
  for (let x = from + 1; x < to; x++) row[x] = (row[x] as number) + (row[x - 1] as number)
}

function touches(edges: Float64Array, at: number, y: number, from: number, to: number): boolean {
  const x0 = edges[at] as number
  const x1 = edges[at + 2] as number
  // Most edges are far away, which shows without a division.
  if (Math.max(x0, x1) < from && from > 0) return false
  if (Math.min(x0, x1) >= to) return false
  const a = crossing(edges, at, Math.max(y, upper(edges, at)))
  const b = crossing(edges, at, Math.min(y + 1, lower(edges, at)))
  return (Math.max(a, b) >= from || from === 0) && Math.min(a, b) < to
}

/** Orders edges by where they cross the line; the order hardly changes from line to line. Others go last, at infinity. */
function sortCrossings(edges: Float64Array, inside: number[], crossings: Float64Array, y: number): void {
  for (let i = 0; i < inside.length; i++) {
    const at = inside[i] as number
    const x = upper(edges, at) <= y && y < lower(edges, at) ? crossing(edges, at, y) : Infinity
    let place = i
    for (; place > 0 && (crossings[place - 1] as number) > x; place--) {
      crossings[place] = crossings[place - 1] as number
      inside[place] = inside[place - 1] as number
    }
    crossings[place] = x
    inside[place] = at
  }
}

/** Adds the differences that make the running sum rise where a filled span starts and fall where it ends. */
function addSpans(
  edges: Float64Array,
  inside: readonly number[],
  crossings: Float64Array,
  row: Float32Array,
  from: number,
  to: number,
): void {
  let winding = 0
  for (let i = 0; i < inside.length; i++) {
    const x = crossings[i] as number
    if (x === Infinity) return
    const at = inside[i] as number
    const before = winding
    winding += (edges[at + 1] as number) < (edges[at + 3] as number) ? 1 : -1
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
