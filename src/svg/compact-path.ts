type Point = readonly [x: number, y: number]

interface Segment {
  readonly letter: 'm' | 'l' | 'q' | 'c' | 'z'
  /** Absolute: controls first, the end last. */
  readonly points: readonly Point[]
}

/** How far a control may be from where it was, in steps of the grid. */
const tolerance = 1

/**
 * Shortens a path of relative commands. Points go to a grid of `step` units, and the result counts in steps. Where
 * a quadratic curve continues the one before it smoothly, as most do in fonts, its control is left out; where it is
 * flat, it becomes a line.
 */
export function compactPath(d: string, step: number): string {
  let text = ''
  let lastLetter = ''
  let pen: Point = [0, 0]
  let start: Point = pen
  /** Where the control of a smooth continuation would be. */
  let mirror: Point | undefined
  function write(letter: string, ...points: readonly Point[]) {
    const numbers = points.flatMap(([x, y]) =>
      letter === 'h' ? x - pen[0] : letter === 'v' ? y - pen[1] : [x - pen[0], y - pen[1]],
    )
    const opening = letter === lastLetter && letter !== 'm' ? '' : letter
    text += numbers.reduce<string>(
      (line, value) => line + (line === letter ? value : separated(value)),
      opening,
    )
    lastLetter = letter
  }
  for (const { letter, points } of segmentsOf(d)) {
    const [first = pen, ...others] = points.map((point) => onGrid(point, step))
    const end = others.at(-1) ?? first
    let control: Point | undefined
    if (letter === 'z') {
      write('z')
      pen = start
    } else if (letter === 'q' && mirror && distance(mirror, first) <= tolerance) {
      write('t', end)
      control = mirror
    } else if (letter === 'q' && !isFlat(pen, first, end)) {
      write('q', first, end)
      control = first
    } else if (letter === 'q' || letter === 'l') {
      const straight = end[1] === pen[1] ? 'h' : end[0] === pen[0] ? 'v' : 'l'
      if (distance(end, pen) > 0) write(straight, end)
    } else {
      write(letter, first, ...others)
    }
    if (letter === 'm') start = end
    if (letter !== 'z') pen = end
    mirror = control && mirrored(control, end)
  }
  return text
}

const countOf: Readonly<Record<string, number>> = { m: 2, l: 2, h: 1, v: 1, q: 4, t: 2, c: 6 }

function* segmentsOf(d: string): Generator<Segment> {
  let pen: Point = [0, 0]
  let start: Point = pen
  /** Where the control of a `t` is. */
  let mirror: Point = pen
  for (const [, letter = '', rest = ''] of d.matchAll(/([a-z])([^a-z]*)/g)) {
    if (letter === 'z') {
      yield { letter, points: [] }
      pen = start
      mirror = pen
      continue
    }
    const values = (rest.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number)
    const count = countOf[letter]
    if (count === undefined) throw new Error(`Unknown path command ${letter}`)
    for (let at = 0; at < values.length; at += count) {
      const given = pointsOf(letter, values.slice(at, at + count), pen)
      const points = letter === 't' ? [mirror, ...given] : given
      const control = points.length === 2 ? points[0] : undefined
      pen = points.at(-1) ?? pen
      mirror = control ? mirrored(control, pen) : pen
      if (letter === 'm' && at === 0) start = pen
      yield { letter: kindOf(letter, at === 0), points }
    }
  }
}

/** What follows the first pair of an `m` are lines. */
function kindOf(letter: string, isFirst: boolean): Segment['letter'] {
  if (letter === 'q' || letter === 't') return 'q'
  if (letter === 'm' && isFirst) return 'm'
  return letter === 'c' ? 'c' : 'l'
}

function pointsOf(letter: string, values: readonly number[], [x, y]: Point): Point[] {
  const [first = 0] = values
  if (letter === 'h') return [[x + first, y]]
  if (letter === 'v') return [[x, y + first]]
  return values.flatMap((value, index) =>
    index % 2 === 0 ? [[x + value, y + (values[index + 1] ?? 0)] as const] : [],
  )
}

function mirrored([x, y]: Point, [centreX, centreY]: Point): Point {
  return [2 * centreX - x, 2 * centreY - y]
}

function onGrid([x, y]: Point, step: number): Point {
  return [Math.round(x / step), Math.round(y / step)]
}

function distance([ax, ay]: Point, [bx, by]: Point): number {
  return Math.max(Math.abs(ax - bx), Math.abs(ay - by))
}

/** Whether the control is so near the chord that nobody sees the bend: the curve leaves it by half of that. */
function isFlat([x, y]: Point, control: Point, [ex, ey]: Point): boolean {
  const [dx, dy] = [ex - x, ey - y]
  const length = Math.hypot(dx, dy)
  return length > 0 && Math.abs(dx * (control[1] - y) - dy * (control[0] - x)) / length < tolerance
}

/** A minus sign separates as well as a space does. */
function separated(value: number): string {
  return value < 0 ? String(value) : ` ${value}`
}
