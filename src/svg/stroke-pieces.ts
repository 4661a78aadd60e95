import { type Contour, type Point, pointOfCubic, type Segment } from './outline.ts'

/** A line, or a part of a curve that turns little, with the directions in which it starts and ends: unit vectors. */
export interface Piece {
  readonly segment: Segment
  readonly startsTo: Point
  readonly endsTo: Point
}

/** In radians. The offset of a cubic that turns more is far from a cubic. */
const turnMax = 0.4
/** How often a curve is halved; what still turns more then has a cusp, and is a line where it stands. */
const halvingsMax = 6

/** The pieces of a contour, without those of no length. */
export function piecesOf({ segments }: Contour): readonly Piece[] {
  return segments.flatMap((segment) =>
    segment.controls === undefined ? pieceOf(segment) : divide(segment, segment.controls, halvingsMax),
  )
}

function divide(segment: Segment, controls: readonly [Point, Point], halvingsLeft: number): readonly Piece[] {
  const { from, to } = segment
  if (turnOf([from, ...controls, to]) <= turnMax) return pieceOf(segment)
  if (halvingsLeft === 0) return pieceOf({ from, to })
  const [first, second] = controls
  const [a, b, c] = [middle(from, first), middle(first, second), middle(second, to)]
  const [d, e] = [middle(a, b), middle(b, c)]
  const half = middle(d, e)
  return [
    ...divide({ from, to: half, controls: [a, d] }, [a, d], halvingsLeft - 1),
    ...divide({ from: half, to, controls: [e, c] }, [e, c], halvingsLeft - 1),
  ]
}

function middle(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
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

/** Whether the copy of a curve at this distance would turn inside out: it lies beyond where the curve turns around. */
export function isTight({ segment }: Piece, distance: number): boolean {
  const { controls } = segment
  if (controls === undefined) return false
  return [0, 0.5, 1].some((t) => {
    const speed = speedAt(segment, controls, t)
    const change = accelerationAt(segment, controls, t)
    const curvature = (speed.x * change.y - speed.y * change.x) / Math.hypot(speed.x, speed.y) ** 3
    // Not a number where the curve stands still.
    return !(1 - distance * curvature > growthMin)
  })
}

/** Least length of a copy, as a share of its curve's. A curve whose copy is shorter is too tight. */
const growthMin = 0.05
/** A tight curve becomes so many lines: it turns little. */
const linesPerPiece = 4

/** Lines along a piece of a curve. */
export function linesOf({ segment }: Piece): readonly Piece[] {
  const { controls, from, to } = segment
  if (controls === undefined) return []
  const between = Array.from({ length: linesPerPiece - 1 }, (_, index) =>
    pointOfCubic(segment, controls, (index + 1) / linesPerPiece),
  )
  return [...between, to].flatMap((point, index) => pieceOf({ from: between[index - 1] ?? from, to: point }))
}

/** The second derivative of a cubic. */
function accelerationAt({ from, to }: Segment, [first, second]: readonly [Point, Point], t: number): Point {
  const u = 1 - t
  return {
    x: 6 * u * (second.x - 2 * first.x + from.x) + 6 * t * (to.x - 2 * second.x + first.x),
    y: 6 * u * (second.y - 2 * first.y + from.y) + 6 * t * (to.y - 2 * second.y + first.y),
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
