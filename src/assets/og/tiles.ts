import { shortNumber } from '../../svg/svg-values.ts'
import { circle, rectangle, ring } from './shapes.ts'

/** Path data of one geometric figure in a square cell; `turn` counts quarter turns. */
export type Figure = (x: number, y: number, side: number, turn: number) => string

type Point = readonly [x: number, y: number]

/** The figures of the poster's pattern: they touch the edges of their cell in halves and quarters, so neighbours meet. */
export const figures: readonly Figure[] = [
  (x, y, side, turn) => quarterBand(corners(x, y, side, turn), side, 0),
  (x, y, side, turn) => {
    const cell = corners(x, y, side, turn)
    return quarterBand(cell, side, (side * 2) / 3) + quarterBand(cell, side / 3, 0)
  },
  leaf,
  triangle,
  halves,
  (x, y, side) => circle(x + side / 2, y + side / 2, side / 2),
  (x, y, side) => ring(x + side / 2, y + side / 2, side * 0.36, side * 0.28),
  (x, y, side) => circle(x + side / 2, y + side / 2, side * 0.22),
]

/** A full cell. */
export function cell(x: number, y: number, side: number): string {
  return rectangle(x, y, side, side)
}

function leaf(x: number, y: number, side: number, turn: number): string {
  const [from, , to] = corners(x, y, side, turn)
  const arc = `A${shortNumber(side)} ${shortNumber(side)} 0 0 1 `
  return `M${at(from)}${arc}${at(to)}${arc}${at(from)}z`
}

function triangle(x: number, y: number, side: number, turn: number): string {
  const [a, b, c] = corners(x, y, side, turn)
  return `M${at(a)}L${at(b)}L${at(c)}z`
}

/** Two half discs, one on an edge, one on the middle line. */
function halves(x: number, y: number, side: number, turn: number): string {
  const [a, b, c, d] = corners(x, y, side, turn)
  function half(from: Point, to: Point) {
    return `M${at(from)}A${shortNumber(side / 2)} ${shortNumber(side / 2)} 0 0 0 ${at(to)}z`
  }
  return half(a, b) + half(between(a, d, 0.5), between(b, c, 0.5))
}

/** A quarter of a ring around the first corner; with no inner radius a quarter disc. */
function quarterBand([centre, next, , last]: Corners, outer: number, inner: number): string {
  const side = Math.abs(next[0] - centre[0]) + Math.abs(next[1] - centre[1])
  function arc(radius: number, sweep: number) {
    return `A${shortNumber(radius)} ${shortNumber(radius)} 0 0 ${sweep} `
  }
  const [from, to] = [between(centre, next, outer / side), between(centre, last, outer / side)]
  if (inner === 0) return `M${at(centre)}L${at(from)}${arc(outer, 1)}${at(to)}z`
  const [back, end] = [between(centre, last, inner / side), between(centre, next, inner / side)]
  return `M${at(from)}${arc(outer, 1)}${at(to)}L${at(back)}${arc(inner, 0)}${at(end)}z`
}

type Corners = readonly [Point, Point, Point, Point]

/** Clockwise, the first one chosen by the turn. */
function corners(x: number, y: number, side: number, turn: number): Corners {
  const [right, bottom] = [x + side, y + side]
  let turned: Corners = [
    [x, y],
    [right, y],
    [right, bottom],
    [x, bottom],
  ]
  for (let turns = turn & 3; turns > 0; turns--) {
    const [a, b, c, d] = turned
    turned = [b, c, d, a]
  }
  return turned
}

function between([x, y]: Point, [toX, toY]: Point, share: number): Point {
  return [x + (toX - x) * share, y + (toY - y) * share]
}

function at([x, y]: Point): string {
  return `${shortNumber(x)} ${shortNumber(y)}`
}
