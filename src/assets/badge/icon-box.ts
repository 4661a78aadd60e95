/** The box around an icon's outline. */
export interface IconBox {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

type Point = readonly [x: number, y: number]

const stepsPerCurve = 16
const valuesOf: Readonly<Record<string, number>> = {
  m: 2,
  l: 2,
  h: 1,
  v: 1,
  c: 6,
  s: 4,
  q: 4,
  t: 2,
  a: 7,
  z: 0,
}

/** Bounds of an SVG path, curves sampled: exact to about a hundredth of the icon. */
export function iconBox(d: string): IconBox {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of pointsOf(d)) {
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  return { x: left, y: top, width: right - left, height: bottom - top }
}

function* pointsOf(d: string): Generator<Point> {
  let pen: Point = [0, 0]
  let start: Point = pen
  /** Mirrored by the short curve commands. */
  let control: Point = pen
  for (const { letter, values } of commandsOf(d)) {
    const kind = letter.toLowerCase()
    const [ox, oy] = letter === kind ? pen : [0, 0]
    function at(index: number): Point {
      return [ox + (values[index] ?? 0), oy + (values[index + 1] ?? 0)]
    }
    const mirrored: Point = [2 * pen[0] - control[0], 2 * pen[1] - control[1]]
    const end = endOf(kind, values, at, pen, [ox, oy], start)
    if (kind === 'c') yield* curve([pen, at(0), at(2), end])
    if (kind === 's') yield* curve([pen, mirrored, at(0), end])
    if (kind === 'q') yield* curve([pen, at(0), end])
    if (kind === 't') yield* curve([pen, mirrored, end])
    if (kind === 'a') yield* arc(pen, values, end)
    yield end
    const controls: Readonly<Record<string, Point>> = { c: at(2), s: at(0), q: at(0), t: mirrored }
    control = controls[kind] ?? end
    pen = end
    if (kind === 'm') start = end
  }
}

function endOf(
  kind: string,
  values: readonly number[],
  at: (index: number) => Point,
  pen: Point,
  origin: Point,
  start: Point,
): Point {
  switch (kind) {
    case 'z':
      return start
    case 'h':
      return [origin[0] + (values[0] ?? 0), pen[1]]
    case 'v':
      return [pen[0], origin[1] + (values[0] ?? 0)]
    default:
      return at(values.length - 2)
  }
}

interface Command {
  readonly letter: string
  readonly values: readonly number[]
}

function* commandsOf(d: string): Generator<Command> {
  for (const [, letter = '', rest = ''] of d.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
    const kind = letter.toLowerCase()
    const values = kind === 'a' ? arcValues(rest) : numbers(rest)
    const count = valuesOf[kind] ?? 0
    if (count === 0) yield { letter, values: [] }
    for (let index = 0; count > 0 && index < values.length; index += count) {
      const repeated = index > 0 && kind === 'm' ? (letter === 'm' ? 'l' : 'L') : letter
      yield { letter: repeated, values: values.slice(index, index + count) }
    }
  }
}

const number = '[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:e[-+]?\\d+)?'

function numbers(text: string): number[] {
  return [...text.matchAll(new RegExp(number, 'g'))].map(([value]) => Number(value))
}

/** The two flags of an arc may stand without a space behind them. */
function arcValues(text: string): number[] {
  const gap = '[\\s,]*'
  const form = new RegExp(
    `(${number})${gap}(${number})${gap}(${number})${gap}([01])${gap}([01])${gap}(${number})${gap}(${number})`,
    'g',
  )
  return [...text.matchAll(form)].flatMap((match) => match.slice(1).map(Number))
}

/** Points of a Bézier curve of any degree, by repeated halving of the distances (de Casteljau). */
function* curve(controls: readonly Point[]): Generator<Point> {
  for (let step = 1; step < stepsPerCurve; step++) {
    const t = step / stepsPerCurve
    let points = controls
    while (points.length > 1) {
      points = points.slice(1).map(([x, y], index): Point => {
        const [px, py] = points[index] ?? [x, y]
        return [px + (x - px) * t, py + (y - py) * t]
      })
    }
    yield* points
  }
}

/** Points of an elliptic arc, by the centre that SVG's appendix on arcs computes. */
function* arc([x1, y1]: Point, values: readonly number[], [x2, y2]: Point): Generator<Point> {
  const [rawRx = 0, rawRy = 0, degrees = 0, large = 0, sweep = 0] = values
  if (rawRx === 0 || rawRy === 0) return
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  const [hx, hy] = [(x1 - x2) / 2, (y1 - y2) / 2]
  const [ux, uy] = [cos * hx + sin * hy, cos * hy - sin * hx]
  const grow = Math.max(1, Math.hypot(ux / rawRx, uy / rawRy))
  const [rx, ry] = [Math.abs(rawRx) * grow, Math.abs(rawRy) * grow]
  const distance = (rx * uy) ** 2 + (ry * ux) ** 2
  const factor = Math.sqrt(Math.max(0, (rx * ry) ** 2 / distance - 1)) * (large === sweep ? -1 : 1)
  const [vx, vy] = [(factor * rx * uy) / ry, (-factor * ry * ux) / rx]
  const from = Math.atan2((uy - vy) / ry, (ux - vx) / rx)
  let turn = Math.atan2((-uy - vy) / ry, (-ux - vx) / rx) - from
  if (sweep === 1 && turn < 0) turn += 2 * Math.PI
  if (sweep === 0 && turn > 0) turn -= 2 * Math.PI
  for (let step = 1; step < stepsPerCurve; step++) {
    const angle = from + (turn * step) / stepsPerCurve
    const [px, py] = [vx + rx * Math.cos(angle), vy + ry * Math.sin(angle)]
    yield [cos * px - sin * py + (x1 + x2) / 2, sin * px + cos * py + (y1 + y2) / 2]
  }
}
