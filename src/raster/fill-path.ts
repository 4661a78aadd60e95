import { parseHex } from '../lib/color.ts'
import type { PathSink } from '../svg/path-sink.ts'
import { readPath } from '../svg/read-path.ts'
import { painter } from './painter/painter.ts'
import type { TouchedCells } from './touched-cells.ts'

/** How the numbers of a path become pixels: x · scaleX + x0, y · scaleY + y0. */
export interface Placement {
  readonly x: number
  readonly y: number
  readonly scaleX: number
  readonly scaleY: number
}

/**
 * Fills the SVG path `d` (non-zero winding, antialiased) into the latest canvas.
 * @param fill `#rrggbb`
 * @param opacity 0 to 1
 * @throws RangeError when `d` or the colour cannot be read.
 */
export function fillPath(
  d: string,
  placement: Placement,
  fill: string,
  opacity = 1,
  touched?: TouchedCells,
): void {
  const { x, y, scaleX, scaleY } = placement
  const color = parseHex(fill)
  if (color === undefined) throw new RangeError(`${fill} is not a colour`)
  const { at, count } = readOutline(d)
  painter().placeOutline(x, y, scaleX, scaleY)
  painter().addOutline(at, count)
  painter().fillEdges((color.r << 16) | (color.g << 8) | color.b, opacity)
  if (touched !== undefined) markContours(touched, placement, painterNumbers(at, count))
}

const encoder = new TextEncoder()

/** Makes an outline in the painter's memory, which reads nearly all paths by itself. */
function readOutline(d: string): { readonly at: number; readonly count: number } {
  const text = painter().takeInput(d.length + 1)
  const bytes = new Uint8Array(painter().memory.buffer, text, d.length)
  const isAscii = encoder.encodeInto(d, bytes).read === d.length
  const readCount = isAscii ? painter().readPath(text, d.length) : -1
  if (readCount >= 0) return { at: painter().outlineAt(), count: readCount }
  count = 0
  readPath(d, outlineSink)
  const at = painter().takeInput(count * numbers.BYTES_PER_ELEMENT)
  painterNumbers(at, count).set(numbers.subarray(0, count))
  return { at, count }
}

function painterNumbers(at: number, length: number): Float64Array {
  return new Float64Array(painter().memory.buffer, at, length)
}

/** Marks a box around each contour, which holds all that is filled: its curves stay within their points. */
function markContours(
  touched: TouchedCells,
  { x, y, scaleX, scaleY }: Placement,
  outline: Float64Array,
): void {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let at = 0; at < outline.length; ) {
    const part = outline[at++] as number
    if (part === 0) {
      touched.markBox(left, top, right, bottom)
      left = top = Infinity
      right = bottom = -Infinity
    }
    const end = part < 0 ? at : at + 2 * Math.max(1, part)
    for (; at < end; at += 2) {
      const pointX = (outline[at] as number) * scaleX + x
      const pointY = (outline[at + 1] as number) * scaleY + y
      left = Math.min(left, pointX)
      right = Math.max(right, pointX)
      top = Math.min(top, pointY)
      bottom = Math.max(bottom, pointY)
    }
  }
  touched.markBox(left, top, right, bottom)
}

/** An outline of a path that the painter does not read, kept between calls. */
let numbers = new Float64Array(128)
let count = 0

/** The most numbers of one part. */
const partNumbersMax = 7

const outlineSink: PathSink = {
  moveTo: (x, y) => addPoint(0, x, y),
  lineTo: (x, y) => addPoint(1, x, y),
  quadraticTo(cx, cy, x, y) {
    addPoint(2, cx, cy)
    numbers[count++] = x
    numbers[count++] = y
  },
  cubicTo(ax, ay, bx, by, x, y) {
    addPoint(3, ax, ay)
    numbers[count++] = bx
    numbers[count++] = by
    numbers[count++] = x
    numbers[count++] = y
  },
  close() {
    reserve()
    numbers[count++] = -1
  },
}

/** A part by the count of its points, with the first of them. */
function addPoint(points: number, x: number, y: number): void {
  reserve()
  numbers[count++] = points
  numbers[count++] = x
  numbers[count++] = y
}

function reserve(): void {
  if (count + partNumbersMax <= numbers.length) return
  const grown = new Float64Array(numbers.length * 2)
  grown.set(numbers)
  numbers = grown
}
