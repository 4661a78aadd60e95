import { Bounds, type Box } from './bounds.ts'
import { mappedSink, type PathSink, readPath } from './read-path.ts'
import { drawable, svgNumber } from './svg-values.ts'

/** An outline on the integer grid of 1/1000 em, y down, that can be joined to others without being parsed. */
export interface PathData {
  /** Relative commands without the first `m`. */
  readonly body: string
  /** The first subpath starts and the pen ends here, from the origin. */
  readonly startX: number
  readonly startY: number
  readonly endX: number
  readonly endY: number
  /** Bounds of end points and control points: never smaller than what is painted. */
  readonly ink: Box
}

/** Path data with relative commands; empty for no outline. */
export function pathString(path: PathData | undefined): string {
  return path === undefined ? '' : `m${pair(path.startX, path.startY)}${path.body}`
}

/** Two numbers as path data: a minus sign separates as well as a space does. */
export function pair(x: number, y: number): string {
  const [first, second] = [drawable(x), drawable(y)]
  return second < 0 ? `${first}${second}` : `${first} ${second}`
}

export interface PathWriterOptions {
  /** In units. A quadratic curve whose control point is this near to the mirror image of the last one is written without it. */
  readonly smoothWithin: number
  /** In units. A quadratic curve whose control point is nearer than this to its chord is written as a line. */
  readonly flatWithin: number
}

interface Point {
  readonly x: number
  readonly y: number
}

/** Writes the shortest relative commands. Coordinates are whole: rounding points, not distances, keeps errors from adding up. */
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

/** Joins outlines into one. */
export class OutlineJoiner {
  // An array: see `PathWriter`.
  private readonly pieces: string[] = []
  private readonly ink = new Bounds()
  private startX = 0
  private startY = 0
  private endX = 0
  private endY = 0

  add(path: PathData, x: number, y: number): void {
    const toX = x + path.startX
    const toY = y + path.startY
    if (this.pieces.length === 0) {
      this.startX = toX
      this.startY = toY
    } else this.pieces.push(`m${pair(toX - this.endX, toY - this.endY)}`)
    this.pieces.push(path.body)
    this.endX = x + path.endX
    this.endY = y + path.endY
    this.ink.addBox(path.ink, x, y)
  }

  finish(): PathData | undefined {
    const { pieces, startX, startY, endX, endY, ink } = this
    if (pieces.length === 0) return undefined
    return { body: pieces.join(''), startX, startY, endX, endY, ink }
  }
}

/** One command of a contour, behind which the pen is at (x, y). */
interface Step extends Point {
  readonly isLine: boolean
  draw(sink: PathSink): void
}

/** Lets `close` draw the line of each contour that takes the most room to write: a contour may begin anywhere. */
export function withoutClosingLines(sink: PathSink): PathSink {
  let steps: Step[] = []
  let [startX, startY] = [0, 0]

  function add(x: number, y: number, draw: Step['draw'], isLine = false): void {
    steps.push({ x, y, isLine, draw })
  }

  return {
    moveTo(x, y) {
      steps = []
      startX = x
      startY = y
    },
    lineTo: (x, y) => add(x, y, (to) => to.lineTo(x, y), true),
    quadraticTo: (cx, cy, x, y) => add(x, y, (to) => to.quadraticTo(cx, cy, x, y)),
    cubicTo: (ax, ay, bx, by, x, y) => add(x, y, (to) => to.cubicTo(ax, ay, bx, by, x, y)),
    close() {
      const last = steps.at(-1)
      if (last !== undefined && (last.x !== startX || last.y !== startY))
        add(startX, startY, (to) => to.lineTo(startX, startY), true)
      const longest = longestLine(steps)
      const { x, y } = steps[longest] ?? { x: startX, y: startY }
      sink.moveTo(x, y)
      for (let count = 1; count < steps.length; count++) steps[(longest + count) % steps.length]?.draw(sink)
      if (steps[longest]?.isLine === false) steps[longest]?.draw(sink)
      sink.close()
    },
  }
}

/** The place of the line with the most to write, or that of the last step where there are curves only. */
function longestLine(steps: readonly Step[]): number {
  let longest = steps.length - 1
  let most = 0
  for (const [at, { x, y, isLine }] of steps.entries()) {
    const before = steps.at(at - 1)
    if (!isLine || before === undefined) continue
    const written = charactersOf(x - before.x) + charactersOf(y - before.y)
    if (written > most) {
      most = written
      longest = at
    }
  }
  return longest
}

/** Nothing is written of a distance of 0: the line is upright or level. */
function charactersOf(distance: number): number {
  return distance === 0 ? 0 : String(distance).length
}

/** Puts points on a grid of `step` units; curves that are flat on it become lines. @throws RangeError when `d` is not path data. */
export function compactPath(d: string, step: number): string {
  const writer = new PathWriter({ smoothWithin: 1, flatWithin: 1 })
  // Adding 0 turns a negative zero into a plain one.
  readPath(
    d,
    mappedSink(writer, (value) => Math.round(value / step) + 0),
  )
  return pathString(writer.finish())
}

/** Absolute lines and cubic curves, every contour closed, coordinates mapped. @throws RangeError when `d` is not path data. */
export function closedPath(
  d: string,
  decimals: number,
  toX: (x: number) => number = (x) => x,
  toY: (y: number) => number = toX,
): string {
  let [path, contour, start, pen] = ['', '', '', '']
  function at(x: number, y: number): string {
    return `${svgNumber(toX(x), decimals)} ${svgNumber(toY(y), decimals)}`
  }
  /** @param controls empty for a line. */
  function add(controls: string, x: number, y: number): void {
    const end = at(x, y)
    if (controls !== '') contour += `C${controls} ${end}`
    else if (end !== pen) contour += `L${end}`
    pen = end
  }
  function end(): void {
    if (contour === '') return
    // Closing draws the last line.
    const last = `L${start}`
    path += `M${start}${contour.endsWith(last) ? contour.slice(0, -last.length) : contour}Z`
    contour = ''
  }
  readPath(d, {
    moveTo(x, y) {
      end()
      start = pen = at(x, y)
    },
    lineTo: (x, y) => add('', x, y),
    cubicTo: (ax, ay, bx, by, x, y) => add(`${at(ax, ay)} ${at(bx, by)}`, x, y),
    close() {
      end()
      pen = start
    },
  })
  end()
  return path
}
