import { type PathData, pair } from './path-data.ts'
import type { PathSink } from './path-sink.ts'

export interface PathWriter extends PathSink {
  /** The outline, or undefined for a blank. */
  finish(): PathData | undefined
}

export interface PathWriterOptions {
  /**
   * In units. A quadratic curve whose control point is this near to the mirror image of the last one is written
   * without it, in half the room.
   */
  readonly smoothWithin: number
  /** In units. A quadratic curve whose control point is nearer than this to its chord is written as a line. */
  readonly flatWithin: number
}

interface Point {
  readonly x: number
  readonly y: number
}

/**
 * Writes an outline as the shortest relative commands. Coordinates must be whole numbers: rounding each point, and not
 * each distance, keeps errors from adding up.
 */
export function createPathWriter({ smoothWithin, flatWithin }: PathWriterOptions): PathWriter {
  // Parts, because a text that grows by concatenation keeps all its pieces alive.
  const body: string[] = []
  const ink = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
  let command = ''
  let start: Point | undefined
  let subpath: Point = { x: 0, y: 0 }
  let pen: Point = { x: 0, y: 0 }
  /** The control point that a smooth quadratic curve would have; undefined where it would not be smooth. */
  let mirror: Point | undefined

  function include({ x, y }: Point): Point {
    ink.left = Math.min(ink.left, x)
    ink.right = Math.max(ink.right, x)
    ink.top = Math.min(ink.top, y)
    ink.bottom = Math.max(ink.bottom, y)
    return { x, y }
  }

  /** Points are written relative to where the pen stands before the command. */
  function write(letter: string, ...points: readonly Point[]): void {
    let numbers = ''
    for (const { x, y } of points)
      numbers += `${numbers === '' || x < pen.x ? '' : ' '}${pair(x - pen.x, y - pen.y)}`
    writeNumbers(letter, numbers)
    pen = points.at(-1) ?? pen
  }

  function writeNumbers(letter: string, numbers: string): void {
    const separator = letter !== command ? letter : numbers.startsWith('-') ? '' : ' '
    body.push(separator + numbers)
    command = letter
  }

  function lineTo(to: Point): void {
    if (to.x === pen.x && to.y === pen.y) return
    mirror = undefined
    if (to.y === pen.y) writeNumbers('h', String(to.x - pen.x))
    else if (to.x === pen.x) writeNumbers('v', String(to.y - pen.y))
    else writeNumbers('l', pair(to.x - pen.x, to.y - pen.y))
    pen = to
  }

  return {
    moveTo(x, y) {
      const to = include({ x, y })
      if (start === undefined) start = to
      else body.push(`m${pair(x - pen.x, y - pen.y)}`)
      command = 'm'
      pen = subpath = to
      mirror = undefined
    },
    lineTo: (x, y) => lineTo(include({ x, y })),
    quadraticTo(cx, cy, x, y) {
      const given = { x: cx, y: cy }
      const to = include({ x, y })
      const isSmooth = mirror !== undefined && distance(given, mirror) <= smoothWithin
      const control = include(isSmooth && mirror !== undefined ? mirror : given)
      if (!isSmooth && isFlat(pen, control, to, flatWithin)) return lineTo(to)
      if (isSmooth) write('t', to)
      else write('q', control, to)
      mirror = { x: 2 * x - control.x, y: 2 * y - control.y }
    },
    cubicTo(ax, ay, bx, by, x, y) {
      write('c', include({ x: ax, y: ay }), include({ x: bx, y: by }), include({ x, y }))
      mirror = undefined
    },
    close() {
      body.push('z')
      command = 'z'
      pen = subpath
      mirror = undefined
    },
    finish() {
      if (start === undefined) return undefined
      return { body: body.join(''), startX: start.x, startY: start.y, endX: pen.x, endY: pen.y, ink }
    },
  }
}

function distance(one: Point, other: Point): number {
  return Math.max(Math.abs(one.x - other.x), Math.abs(one.y - other.y))
}

/** A curve leaves its chord by half as much as its control point does. */
function isFlat(from: Point, control: Point, to: Point, within: number): boolean {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const length = Math.hypot(dx, dy)
  return length > 0 && Math.abs(dx * (control.y - from.y) - dy * (control.x - from.x)) / length < within
}
