import { type Contour, type Point, pointOfCubic, type Segment } from './outline.ts'

/** A line, or a part of a curve that turns little, with the directions in which it starts and ends: unit vectors. */
export interface Piece {
  readonly segment: Segment
  readonly startsTo: Point
  readonly endsTo: Point
}

/** In radians. The offset of a cubic that turns more is far from a cubic. */
const turnMax = 0.4
const partsMax = 16

/** The pieces of a contour, without those of no length. */
export function piecesOf({ segments }: Contour): readonly Piece[] {
  return segments.flatMap((segment) => {
    const { controls } = segment
    if (controls === undefined) return pieceOf(segment)
    const corners = [segment.from, ...controls, segment.to]
    const parts = Math.min(partsMax, Math.max(1, Math.ceil(turnOf(corners) / turnMax)))
    return Array.from({ length: parts }, (_, index) =>
      pieceOf(partOfCubic(segment, controls, index / parts, (index + 1) / parts)),
    ).flat()
  })
}

function pieceOf(segment: Segment): readonly Piece[] {
  const { from, to, controls = [] } = segment
  const points = [from, ...controls, to]
  const directions = points.slice(1).flatMap((point, index) => direction(points[index] ?? from, point) ?? [])
  const [startsTo] = directions
  const endsTo = directions.at(-1)
  return startsTo === undefined || endsTo === undefined ? [] : [{ segment, startsTo, endsTo }]
}

/** The unit vector from one point to another; undefined where they are the same. */
export function direction(from: Point, to: Point): Point | undefined {
  const [x, y] = [to.x - from.x, to.y - from.y]
  const length = Math.hypot(x, y)
  return length > 0 ? { x: x / length, y: y / length } : undefined
}

/** How far the sides of a control polygon turn together: no less than the curve does. */
function turnOf(corners: readonly Point[]): number {
  const directions = corners
    .slice(1)
    .flatMap((corner, index) => direction(corners[index] ?? corner, corner) ?? [])
  return directions
    .slice(1)
    .reduce((sum, to, index) => sum + Math.abs(turnBetween(directions[index] ?? to, to)), 0)
}

/** The angle from one direction to another, from -π to π. */
export function turnBetween(from: Point, to: Point): number {
  return Math.atan2(from.x * to.y - from.y * to.x, from.x * to.x + from.y * to.y)
}

function partOfCubic(
  segment: Segment,
  controls: readonly [Point, Point],
  start: number,
  end: number,
): Segment {
  const from = start === 0 ? segment.from : pointOfCubic(segment, controls, start)
  const to = end === 1 ? segment.to : pointOfCubic(segment, controls, end)
  const third = (end - start) / 3
  const [atStart, atEnd] = [speedAt(segment, controls, start), speedAt(segment, controls, end)]
  return {
    from,
    to,
    controls: [
      { x: from.x + third * atStart.x, y: from.y + third * atStart.y },
      { x: to.x - third * atEnd.x, y: to.y - third * atEnd.y },
    ],
  }
}

/** The derivative of a cubic. */
function speedAt({ from, to }: Segment, [first, second]: readonly [Point, Point], t: number): Point {
  const u = 1 - t
  const [a, b, c] = [3 * u * u, 6 * u * t, 3 * t * t]
  return {
    x: a * (first.x - from.x) + b * (second.x - first.x) + c * (to.x - second.x),
    y: a * (first.y - from.y) + b * (second.y - first.y) + c * (to.y - second.y),
  }
}
