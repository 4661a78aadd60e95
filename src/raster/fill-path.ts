import { parseHex } from '../lib/color.ts'
import { type PathSink, readPath } from '../svg/read-path.ts'
import { painter } from './painter/painter.ts'

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
export function fillPath(d: string, { x, y, scaleX, scaleY }: Placement, fill: string, opacity = 1): void {
  const color = parseHex(fill)
  if (color === undefined) throw new RangeError(`${fill} is not a colour`)
  count = 0
  readPath(d, outline)
  const at = painter().takeInput(count * numbers.BYTES_PER_ELEMENT)
  new Float64Array(painter().memory.buffer, at, count).set(numbers.subarray(0, count))
  painter().placeOutline(x, y, scaleX, scaleY)
  painter().addOutline(at, count)
  painter().fillEdges((color.r << 16) | (color.g << 8) | color.b, opacity)
}

/** An outline as the painter reads it, kept between calls. */
let numbers = new Float64Array(8192)
let count = 0

/** The most numbers of one part. */
const partNumbersMax = 7

const outline: PathSink = {
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
