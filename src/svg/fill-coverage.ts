import { type Outline, type Point, pointOfCubic, type Segment } from './outline.ts'

/** An edge between two points of a flattened outline. */
export interface Edge {
  readonly from: Point
  readonly to: Point
}

export type FillRule = 'nonzero' | 'evenodd'

const pieces = 8

/** The edges of a filled outline, its contours closed; each curve becomes 8 lines. */
export function edgesOf(outline: Outline): readonly Edge[] {
  return outline.flatMap(({ start, segments }) => {
    const edges = segments.flatMap(flatten)
    const last = segments.at(-1)?.to
    return last === undefined ? edges : [...edges, { from: last, to: start }]
  })
}

function flatten(segment: Segment): readonly Edge[] {
  const { from, to, controls } = segment
  if (controls === undefined) return [{ from, to }]
  const points = Array.from({ length: pieces - 1 }, (_, index) =>
    pointOfCubic(segment, controls, (index + 1) / pieces),
  )
  return [...points, to].map((point, index) => ({ from: points[index - 1] ?? from, to: point }))
}

const rows = 128
/** Crossings of all rows together: what comparing costs. */
const crossingsMax = 60_000

interface Fill {
  readonly edges: readonly Edge[]
  readonly rule: FillRule
}

/**
 * Compares two fills along 128 rows: the part that only one of them covers, as a share of all that is covered. 0 for
 * equal fills, 1 for fills that have nothing in common. Undefined if that is too much work. Two fills that cover
 * nothing are equal.
 */
export function fillDifference(one: Fill, other: Fill): number | undefined {
  const all = [...one.edges, ...other.edges]
  const top = all.reduce((least, { from }) => Math.min(least, from.y), Infinity)
  const bottom = all.reduce((most, { from }) => Math.max(most, from.y), -Infinity)
  const step = (bottom - top) / rows
  if (!(step > 0)) return 0
  const first = crossingsOf(one.edges, top, step)
  const second = crossingsOf(other.edges, top, step)
  if (first === undefined || second === undefined) return undefined
  let either = 0
  let both = 0
  for (let row = 0; row < rows; row++) {
    const a = spansOf(first[row] ?? [], one.rule)
    const b = spansOf(second[row] ?? [], other.rule)
    const shared = sharedLength(a, b)
    both += shared
    either += lengthOf(a) + lengthOf(b) - shared
  }
  return either > 0 ? 1 - both / either : 0
}

interface Crossing {
  readonly x: number
  readonly winding: 1 | -1
}

/** Where edges cross the middle of each row; undefined for too many. */
function crossingsOf(edges: readonly Edge[], top: number, step: number): readonly Crossing[][] | undefined {
  const crossings: Crossing[][] = Array.from({ length: rows }, () => [])
  let count = 0
  for (const { from, to } of edges) {
    if (from.y === to.y) continue
    const [upper, lower] = from.y < to.y ? [from, to] : [to, from]
    const winding = from.y < to.y ? 1 : -1
    const slope = (lower.x - upper.x) / (lower.y - upper.y)
    const last = Math.min(rows - 1, Math.ceil((lower.y - top) / step - 0.5) - 1)
    for (let row = Math.max(0, Math.ceil((upper.y - top) / step - 0.5)); row <= last; row++) {
      const y = top + (row + 0.5) * step
      crossings[row]?.push({ x: upper.x + (y - upper.y) * slope, winding })
      count += 1
    }
    if (count > crossingsMax) return undefined
  }
  for (const row of crossings) row.sort((a, b) => a.x - b.x)
  return crossings
}

type Span = readonly [from: number, to: number]

function spansOf(row: readonly Crossing[], rule: FillRule): readonly Span[] {
  const spans: Span[] = []
  let winding = 0
  let from = 0
  for (const { x, winding: change } of row) {
    const wasInside = isInside(winding, rule)
    winding += change
    const isNowInside = isInside(winding, rule)
    if (!wasInside && isNowInside) from = x
    if (wasInside && !isNowInside && x > from) spans.push([from, x])
  }
  return spans
}

function isInside(winding: number, rule: FillRule): boolean {
  return rule === 'nonzero' ? winding !== 0 : (winding & 1) === 1
}

function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, [from, to]) => sum + to - from, 0)
}

function sharedLength(one: readonly Span[], other: readonly Span[]): number {
  let sum = 0
  let [i, j] = [0, 0]
  for (let [a, b] = [one[0], other[0]]; a !== undefined && b !== undefined; a = one[i], b = other[j]) {
    sum += Math.max(0, Math.min(a[1], b[1]) - Math.max(a[0], b[0]))
    if (a[1] < b[1]) i += 1
    else j += 1
  }
  return sum
}
