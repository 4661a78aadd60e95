import { pathString } from './path-data.ts'
import { PathWriter } from './path-writer.ts'
import { readPath } from './read-path.ts'

/**
 * Shortens path data. Points go to a grid of `step` units, and the result counts in steps. Curves that are flat on that
 * grid become lines.
 * @throws RangeError when `d` is not path data.
 */
export function compactPath(d: string, step: number): string {
  const writer = new PathWriter({ smoothWithin: 1, flatWithin: 1 })
  // Adding 0 turns a negative zero into a plain one.
  function onGrid(value: number) {
    return Math.round(value / step) + 0
  }
  readPath(d, {
    moveTo: (x, y) => writer.moveTo(onGrid(x), onGrid(y)),
    lineTo: (x, y) => writer.lineTo(onGrid(x), onGrid(y)),
    quadraticTo: (cx, cy, x, y) => writer.quadraticTo(onGrid(cx), onGrid(cy), onGrid(x), onGrid(y)),
    cubicTo: (ax, ay, bx, by, x, y) =>
      writer.cubicTo(onGrid(ax), onGrid(ay), onGrid(bx), onGrid(by), onGrid(x), onGrid(y)),
    close: () => writer.close(),
  })
  const path = writer.finish()
  return path === undefined ? '' : pathString(path)
}
