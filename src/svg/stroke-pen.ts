import type { Point } from './outline.ts'

export interface Pen {
  readonly width: number
  readonly cap: 'butt' | 'round' | 'square'
  readonly join: 'miter' | 'round' | 'bevel'
  readonly miterLimit: number
}

/** A vector of this length, a quarter turn from a direction. */
export function normal({ x, y }: Point, length: number): Point {
  return { x: -y * length, y: x * length }
}

/** Where the outer edges of two pieces meet. */
export function miterTip(at: Point, from: Point, to: Point, distance: number): Point {
  const [a, b] = [normal(from, distance), normal(to, distance)]
  const share = 1 / (1 + from.x * to.x + from.y * to.y)
  return { x: at.x + (a.x + b.x) * share, y: at.y + (a.y + b.y) * share }
}

/** A vector turned by an angle in radians. */
export function rotate({ x, y }: Point, angle: number): Point {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  return { x: cos * x - sin * y, y: sin * x + cos * y }
}
