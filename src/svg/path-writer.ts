import { Bounds } from './box.ts'
import { type PathData, pair } from './path-data.ts'
import type { PathSink } from './path-sink.ts'
import { drawable } from './svg-number.ts'

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
export class PathWriter implements PathSink {
  // An array, because a string that grows by concatenation keeps all its pieces in memory.
  private readonly body: string[] = []
  private readonly ink = new Bounds()
  private command = ''
  private start: Point | undefined
  private subpath: Point = { x: 0, y: 0 }
  private pen: Point = { x: 0, y: 0 }
  /** The control point that a smooth quadratic curve would have; undefined where it would not be smooth. */
  private mirror: Point | undefined
  private readonly options: PathWriterOptions

  constructor(options: PathWriterOptions) {
    this.options = options
  }

  moveTo(x: number, y: number): void {
    const { pen } = this
    if (this.start !== undefined) this.body.push(`m${pair(x - pen.x, y - pen.y)}`)
    this.pen = this.subpath = this.include(x, y)
    this.start ??= this.pen
    this.command = 'm'
    this.mirror = undefined
  }

  lineTo(x: number, y: number): void {
    const { pen } = this
    if (x === pen.x && y === pen.y) return
    if (y === pen.y) this.write('h', String(x - pen.x))
    else if (x === pen.x) this.write('v', String(y - pen.y))
    else this.write('l', pair(x - pen.x, y - pen.y))
    this.pen = this.include(x, y)
    this.mirror = undefined
  }

  quadraticTo(cx: number, cy: number, x: number, y: number): void {
    const { mirror, pen, options } = this
    const isSmooth =
      mirror !== undefined &&
      Math.max(Math.abs(cx - mirror.x), Math.abs(cy - mirror.y)) <= options.smoothWithin
    if (!isSmooth && isFlat(pen, cx, cy, x, y, options.flatWithin)) {
      this.lineTo(x, y)
      return
    }
    const control = isSmooth ? mirror : { x: cx, y: cy }
    this.include(control.x, control.y)
    if (isSmooth) this.writeCurve('t', x, y)
    else this.writeCurve('q', cx, cy, x, y)
    this.pen = this.include(x, y)
    this.mirror = { x: 2 * x - control.x, y: 2 * y - control.y }
  }

  cubicTo(ax: number, ay: number, bx: number, by: number, x: number, y: number): void {
    this.include(ax, ay)
    this.include(bx, by)
    this.writeCurve('c', ax, ay, bx, by, x, y)
    this.pen = this.include(x, y)
    this.mirror = undefined
  }

  close(): void {
    this.body.push('z')
    this.command = 'z'
    this.pen = this.subpath
    this.mirror = undefined
  }

  /** The outline, or undefined for a blank. */
  finish(): PathData | undefined {
    const { body, start, pen, ink } = this
    if (start === undefined) return undefined
    return { body: body.join(''), startX: start.x, startY: start.y, endX: pen.x, endY: pen.y, ink }
  }

  private include(x: number, y: number): Point {
    const point = { x: drawable(x), y: drawable(y) }
    this.ink.add(point.x, point.y)
    return point
  }

  /** All points are relative to where the pen stands before the command. */
  private writeCurve(letter: string, ...coordinates: readonly number[]): void {
    const { pen } = this
    let numbers = ''
    for (let index = 0; index < coordinates.length; index += 2) {
      const x = (coordinates[index] ?? 0) - pen.x
      const y = (coordinates[index + 1] ?? 0) - pen.y
      numbers += `${numbers === '' || x < 0 ? '' : ' '}${pair(x, y)}`
    }
    this.write(letter, numbers)
  }

  private write(letter: string, numbers: string): void {
    const separator = letter !== this.command ? letter : numbers.startsWith('-') ? '' : ' '
    this.body.push(separator + numbers)
    this.command = letter
  }
}

/** A curve leaves its chord by half as much as its control point does. */
function isFlat(from: Point, cx: number, cy: number, x: number, y: number, within: number): boolean {
  const [dx, dy] = [x - from.x, y - from.y]
  const length = Math.hypot(dx, dy)
  return length > 0 && Math.abs(dx * (cy - from.y) - dy * (cx - from.x)) / length < within
}
