import { Bounds, type Box } from './box.ts'
import { readPath } from './read-path.ts'

/**
 * The box around an SVG path, its curves by their extremes.
 * @throws RangeError when `d` is not path data.
 */
export function pathBounds(d: string): Box {
  const bounds = new Bounds()
  let [penX, penY, startX, startY] = [0, 0, 0, 0]
  function lineTo(x: number, y: number) {
    bounds.add(x, y)
    penX = x
    penY = y
  }
  function cubicTo(ax: number, ay: number, bx: number, by: number, x: number, y: number) {
    for (const extreme of cubicExtremes(penX, ax, bx, x)) bounds.add(extreme, y)
    for (const extreme of cubicExtremes(penY, ay, by, y)) bounds.add(x, extreme)
    lineTo(x, y)
  }
  readPath(d, {
    moveTo(x, y) {
      lineTo(x, y)
      startX = x
      startY = y
    },
    lineTo,
    // A quadratic curve as a cubic one, which is the same curve with one control point more.
    quadraticTo: (cx, cy, x, y) =>
      cubicTo(between(penX, cx), between(penY, cy), between(x, cx), between(y, cy), x, y),
    cubicTo,
    close() {
      penX = startX
      penY = startY
    },
  })
  return bounds
}

function between(end: number, control: number): number {
  return end + (2 / 3) * (control - end)
}

/** Where one coordinate of a cubic curve turns: at the roots of its derivative a·t² + b·t + c. */
export function cubicExtremes(from: number, first: number, second: number, to: number): readonly number[] {
  const a = to - 3 * second + 3 * first - from
  const b = 2 * (second - 2 * first + from)
  const c = first - from
  const root = Math.sqrt(b * b - 4 * a * c)
  const q = -(b + Math.sign(b || 1) * root) / 2
  return [q / a, c / q]
    .filter((t) => t > 0 && t < 1)
    .map(
      (t) => (1 - t) ** 3 * from + 3 * (1 - t) ** 2 * t * first + 3 * (1 - t) * t ** 2 * second + t ** 3 * to,
    )
}
