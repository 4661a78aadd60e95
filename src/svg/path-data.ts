import type { Box } from './box.ts'

/** An outline on the integer grid of 1/1000 em, y down, that can be joined to others without being parsed. */
export interface PathData {
  /** Relative commands without the first `m`. */
  readonly body: string
  /** Where the first subpath starts and where the pen stands at the end, from the origin. */
  readonly startX: number
  readonly startY: number
  readonly endX: number
  readonly endY: number
  /** Of end points and control points: never smaller than what is painted. */
  readonly ink: Box
}

/** The `d` of a path element, drawn from the origin. */
export function pathString(path: PathData): string {
  return `m${pair(path.startX, path.startY)}${path.body}`
}

/** Two numbers as path data: a minus sign separates as well as a space does. */
export function pair(x: number, y: number): string {
  return y < 0 ? `${x}${y}` : `${x} ${y}`
}
