import type { Matrix } from './matrix.ts'
import type { PathSink } from './path-sink.ts'
import { readPath } from './read-path.ts'
import { svgNumber } from './svg-number.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

/** A line, or a cubic curve where it has two control points. */
export interface Segment {
  readonly from: Point
  readonly to: Point
  readonly controls?: readonly [Point, Point]
}

/** One subpath: its segments follow each other from `start`. */
export interface Contour {
  readonly start: Point
  readonly segments: readonly Segment[]
  readonly isClosed: boolean
}

export type Outline = readonly Contour[]

/**
 * Path data as lines and cubic curves.
 * @throws RangeError when `d` is not path data.
 */
export function readOutline(d: string): Outline {
  const builder = new OutlineBuilder()
  readPath(d, builder)
  return builder.finish()
}

/** Takes an outline segment by segment. A line or curve behind `close` begins a subpath where the last one began. */
export class OutlineBuilder implements PathSink {
  private readonly contours: Contour[] = []
  private segments: Segment[] = []
  private start: Point | undefined
  private pen: Point = { x: 0, y: 0 }

  moveTo(x: number, y: number): void {
    this.end(false)
    this.pen = this.start = { x, y }
  }

  lineTo(x: number, y: number): void {
    this.add({ from: this.pen, to: { x, y } })
  }

  quadraticTo(cx: number, cy: number, x: number, y: number): void {
    const { pen } = this
    const first = { x: pen.x + (2 / 3) * (cx - pen.x), y: pen.y + (2 / 3) * (cy - pen.y) }
    this.cubicTo(first.x, first.y, x + (2 / 3) * (cx - x), y + (2 / 3) * (cy - y), x, y)
  }

  cubicTo(ax: number, ay: number, bx: number, by: number, x: number, y: number): void {
    this.add({
      from: this.pen,
      to: { x, y },
      controls: [
        { x: ax, y: ay },
        { x: bx, y: by },
      ],
    })
  }

  close(): void {
    const { start } = this
    this.end(true)
    if (start !== undefined) this.pen = start
  }

  finish(): Outline {
    this.end(false)
    return this.contours
  }

  private add(segment: Segment): void {
    this.start ??= this.pen
    this.segments.push(segment)
    this.pen = segment.to
  }

  private end(isClosed: boolean): void {
    const { start, segments, pen } = this
    if (start === undefined) return
    if (isClosed && (pen.x !== start.x || pen.y !== start.y)) segments.push({ from: pen, to: start })
    this.contours.push({ start, segments, isClosed })
    this.segments = []
    this.start = undefined
  }
}

export function mapOutline(outline: Outline, [a, b, c, d, e, f]: Matrix): Outline {
  function map({ x, y }: Point): Point {
    return { x: a * x + c * y + e, y: b * x + d * y + f }
  }
  return outline.map(({ start, segments, isClosed }) => ({
    start: map(start),
    segments: segments.map((segment) => mapSegment(segment, map)),
    isClosed,
  }))
}

function mapSegment({ from, to, controls }: Segment, map: (point: Point) => Point): Segment {
  const line = { from: map(from), to: map(to) }
  return controls === undefined ? line : { ...line, controls: [map(controls[0]), map(controls[1])] }
}

/** Reverses the direction of a contour. */
export function reverseContour({ start, segments, isClosed }: Contour): Contour {
  const reversed = segments.map(reverseSegment).reverse()
  return { start: reversed[0]?.from ?? start, segments: reversed, isClosed }
}

export function reverseSegment({ from, to, controls }: Segment): Segment {
  const line = { from: to, to: from }
  return controls === undefined ? line : { ...line, controls: [controls[1], controls[0]] }
}

/** Absolute path data, every contour closed. Numbers have at most so many decimals. */
export function outlineToPath(outline: Outline, decimals: number): string {
  function write({ x, y }: Point): string {
    return `${svgNumber(x, decimals)} ${svgNumber(y, decimals)}`
  }
  const parts: string[] = []
  for (const { start, segments } of outline) {
    if (segments.length === 0) continue
    const first = write(start)
    let last = first
    parts.push(`M${first}`)
    for (const [index, { to, controls }] of segments.entries()) {
      const end = write(to)
      // Closing draws the last line.
      if (controls === undefined && index === segments.length - 1 && end === first) continue
      if (controls !== undefined) parts.push(`C${write(controls[0])} ${write(controls[1])} ${end}`)
      else if (end !== last) parts.push(`L${end}`)
      last = end
    }
    parts.push('Z')
  }
  return parts.join('')
}

export function pointOfCubic({ from, to }: Segment, controls: readonly [Point, Point], t: number): Point {
  const [first, second] = controls
  const u = 1 - t
  const [a, b, c, d] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t]
  return {
    x: a * from.x + b * first.x + c * second.x + d * to.x,
    y: a * from.y + b * first.y + c * second.y + d * to.y,
  }
}
