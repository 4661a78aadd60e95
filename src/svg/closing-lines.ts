import type { PathSink } from './path-sink.ts'

/** One command of a contour: where the pen stands behind it, and how it is passed on. */
interface Step {
  readonly x: number
  readonly y: number
  readonly isLine: boolean
  draw(sink: PathSink): void
}

/**
 * Passes an outline on with one line less in each closed contour: `close` draws it. A contour may begin anywhere, so
 * it begins behind the line that takes the most room to write.
 */
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

/** The place of the line with the most to write; of the last step where there are curves only. */
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
