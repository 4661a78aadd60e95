import { readPath } from './read-path.ts'

export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** The box around all points that were added; its edges are infinite, and in the wrong order, before the first. */
export class Bounds implements Box {
  left = Infinity
  top = Infinity
  right = -Infinity
  bottom = -Infinity

  add(x: number, y: number): void {
    if (x < this.left) this.left = x
    if (x > this.right) this.right = x
    if (y < this.top) this.top = y
    if (y > this.bottom) this.bottom = y
  }

  addBox({ left, top, right, bottom }: Box, x = 0, y = 0): void {
    if (x + left < this.left) this.left = x + left
    if (x + right > this.right) this.right = x + right
    if (y + top < this.top) this.top = y + top
    if (y + bottom > this.bottom) this.bottom = y + bottom
  }
}

/** @throws RangeError when `d` is not path data. */
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
    cubicTo,
    close() {
      penX = startX
      penY = startY
    },
  })
  return bounds
}

/** True for path data that begins with M, as renderers demand, and for none at all. */
export function isPathData(d: string): boolean {
  try {
    pathBounds(d)
    return d === '' || /^m/i.test(d)
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** One coordinate of a cubic curve turns at the roots of its derivative a·t² + b·t + c. */
function cubicExtremes(from: number, first: number, second: number, to: number): readonly number[] {
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
