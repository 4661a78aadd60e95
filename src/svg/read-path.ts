/** Reads all SVG commands as absolute lines and curves, cubic unless the sink takes others. @throws RangeError for what is none. */
export function readPath(d: string, sink: CubicSink & Partial<PathSink>): void {
  const scanner = new PathScanner(d)
  let [x, y, startX, startY, controlX, controlY] = [0, 0, 0, 0, 0, 0]
  let previous = ''
  for (let command = scanner.nextCommand(''); command !== ''; command = scanner.nextCommand(command)) {
    const kind = command.toUpperCase()
    const baseX = command === kind ? 0 : x
    const baseY = command === kind ? 0 : y
    if (!hasControl(kind, previous)) {
      controlX = x
      controlY = y
    }
    switch (kind) {
      case 'M':
        x = startX = baseX + scanner.next()
        y = startY = baseY + scanner.next()
        sink.moveTo(x, y)
        break
      case 'L':
      case 'H':
      case 'V':
        if (kind !== 'V') x = baseX + scanner.next()
        if (kind !== 'H') y = baseY + scanner.next()
        sink.lineTo(x, y)
        break
      case 'Q':
      case 'T': {
        controlX = kind === 'T' ? 2 * x - controlX : baseX + scanner.next()
        controlY = kind === 'T' ? 2 * y - controlY : baseY + scanner.next()
        const [fromX, fromY] = [x, y]
        x = baseX + scanner.next()
        y = baseY + scanner.next()
        if (sink.quadraticTo) sink.quadraticTo(controlX, controlY, x, y)
        else {
          // Each control point lies two thirds of the way from an end to the one that there was.
          const share = 2 / 3
          const [ax, ay] = [fromX + share * (controlX - fromX), fromY + share * (controlY - fromY)]
          sink.cubicTo(ax, ay, x + share * (controlX - x), y + share * (controlY - y), x, y)
        }
        break
      }
      case 'C':
      case 'S': {
        const firstX = kind === 'S' ? 2 * x - controlX : baseX + scanner.next()
        const firstY = kind === 'S' ? 2 * y - controlY : baseY + scanner.next()
        controlX = baseX + scanner.next()
        controlY = baseY + scanner.next()
        x = baseX + scanner.next()
        y = baseY + scanner.next()
        sink.cubicTo(firstX, firstY, controlX, controlY, x, y)
        break
      }
      case 'A': {
        const arc = readArc(scanner, x, y, baseX, baseY)
        x = arc.toX
        y = arc.toY
        arcToCubics(arc, sink)
        break
      }
      case 'Z':
        x = startX
        y = startY
        sink.close()
    }
    previous = kind
  }
}

/** A smooth curve mirrors the last control point behind a curve of its own degree only. */
function hasControl(kind: string, previous: string): boolean {
  if (kind === 'T') return previous === 'Q' || previous === 'T'
  return kind === 'S' && (previous === 'C' || previous === 'S')
}

type Arc = ReturnType<typeof readArc>

/** The rotation is in degrees from the x axis to the ellipse's; a sweep goes clockwise on the screen. */
function readArc(scanner: PathScanner, fromX: number, fromY: number, baseX: number, baseY: number) {
  return {
    fromX,
    fromY,
    radiusX: scanner.next(),
    radiusY: scanner.next(),
    rotation: scanner.next(),
    isLarge: scanner.flag(),
    isSweep: scanner.flag(),
    toX: baseX + scanner.next(),
    toY: baseY + scanner.next(),
  }
}

/** Receives an outline segment by segment, in absolute coordinates. `close` leaves the pen at the start of the subpath. */
export interface PathSink extends CubicSink {
  quadraticTo(cx: number, cy: number, x: number, y: number): void
}

interface CubicSink {
  moveTo(x: number, y: number): void
  lineTo(x: number, y: number): void
  cubicTo(ax: number, ay: number, bx: number, by: number, x: number, y: number): void
  close(): void
}

export function mappedSink(
  sink: PathSink,
  toX: (x: number) => number,
  toY: (y: number) => number = toX,
): PathSink {
  return {
    moveTo: (x, y) => sink.moveTo(toX(x), toY(y)),
    lineTo: (x, y) => sink.lineTo(toX(x), toY(y)),
    quadraticTo: (cx, cy, x, y) => sink.quadraticTo(toX(cx), toY(cy), toX(x), toY(y)),
    cubicTo: (ax, ay, bx, by, x, y) => sink.cubicTo(toX(ax), toY(ay), toX(bx), toY(by), toX(x), toY(y)),
    close: () => sink.close(),
  }
}

/** Reads characters, which is several times faster than splitting and `Number()`: `1-.5.5` is three numbers. */
class PathScanner {
  private at = 0
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** The next command's letter; `previous` again when only numbers follow; '' at the end. */
  nextCommand(previous: string): string {
    this.skipSeparators()
    if (this.at >= this.text.length) return ''
    const letter = this.text.charAt(this.at)
    if (commands.has(letter)) {
      this.at++
      return letter
    }
    if (previous === 'M') return 'L'
    if (previous === 'm') return 'l'
    if (previous === '' || previous === 'Z' || previous === 'z') throw this.unreadable('a command')
    return previous
  }

  next(): number {
    this.skipSeparators()
    const { text } = this
    let at = this.at
    let code = text.charCodeAt(at)
    const sign = code === minus ? -1 : 1
    if (code === minus || code === plus) code = text.charCodeAt(++at)
    const start = at
    let value = 0
    // Power of ten for the digits behind the point; 0 before it.
    let divisor = 0
    for (; isDigit(code) || (code === point && divisor === 0); code = text.charCodeAt(++at)) {
      if (code === point) divisor = 1
      else {
        value = value * 10 + code - 48
        divisor *= 10
      }
    }
    if (at - start === (divisor === 0 ? 0 : 1)) throw this.unreadable('a number')
    const end = this.exponentEnd(at)
    // The loop's count is exact for so many digits.
    if (end === at && end - start <= 15) value /= divisor || 1
    else value = Number(text.slice(start, end))
    if (value === Infinity) throw this.unreadable('a number that is not too large')
    this.at = end
    return sign * value
  }

  /** An arc's flag, which nothing need separate from the number behind it. */
  flag(): boolean {
    this.skipSeparators()
    const flag = this.text.charAt(this.at++)
    if (flag !== '0' && flag !== '1') throw this.unreadable('a flag')
    return flag === '1'
  }

  /** The end of a number with `e-3` behind it; `at` without one. No command is called E. */
  private exponentEnd(at: number): number {
    const { text } = this
    if ((text.charCodeAt(at) | 32) !== 101) return at
    const sign = text.charCodeAt(at + 1)
    let end = sign === minus || sign === plus ? at + 2 : at + 1
    const first = end
    while (isDigit(text.charCodeAt(end))) end++
    return end === first ? at : end
  }

  private skipSeparators(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at)
      // NaN at the end fails every comparison.
      if (code === 44 || code <= 32) this.at++
      else return
    }
  }

  private unreadable(wanted: string): RangeError {
    return new RangeError(`path data: ${wanted} expected at character ${this.at}`)
  }
}

const commands = new Set('MmLlHhVvQqTtCcSsAaZz')
const minus = 45
const plus = 43
const point = 46

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** At an eighth of a turn a cubic leaves its circle by less than 5 millionths of the radius. */
const stepMax = Math.PI / 4

/** Draws an SVG arc as cubic curves; as a line where a radius is 0. Nothing where it ends at its start. */
function arcToCubics(arc: Arc, sink: CubicSink): void {
  const { fromX, fromY, toX, toY } = arc
  const ellipse = ellipseOf(arc)
  if (ellipse === undefined) {
    if (fromX !== toX || fromY !== toY) sink.lineTo(toX, toY)
    return
  }
  const { first, spanned, pointAt } = ellipse
  const steps = Math.ceil(Math.abs(spanned) / stepMax)
  const step = spanned / steps
  const handle = (4 / 3) * Math.tan(step / 4)
  for (let index = 0; index < steps; index++) {
    const start = first + index * step
    const end = start + step
    const [ax, ay] = pointAt(start, handle)
    const [bx, by] = pointAt(end, -handle)
    const [x, y] = index === steps - 1 ? [toX, toY] : pointAt(end, 0)
    sink.cubicTo(ax, ay, bx, by, x, y)
  }
}

/** The ellipse of an arc, as SVG converts endpoints to a centre; undefined for a line. `spanned` is negative against the clock. */
function ellipseOf(arc: Arc) {
  const { fromX, fromY, toX, toY } = arc
  const angle = (arc.rotation * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const halfX = (fromX - toX) / 2
  const halfY = (fromY - toY) / 2
  const startX = cos * halfX + sin * halfY
  const startY = cos * halfY - sin * halfX
  let radiusX = Math.abs(arc.radiusX)
  let radiusY = Math.abs(arc.radiusY)
  if (radiusX === 0 || radiusY === 0 || (halfX === 0 && halfY === 0)) return undefined

  // Radii that are too small to reach are grown until they do.
  const reach = (startX / radiusX) ** 2 + (startY / radiusY) ** 2
  if (reach > 1) {
    radiusX *= Math.sqrt(reach)
    radiusY *= Math.sqrt(reach)
  }
  const offset = reach > 1 ? 0 : Math.sqrt(Math.max(0, 1 / Math.max(reach, 1e-300) - 1))
  const side = arc.isLarge === arc.isSweep ? -offset : offset
  const centreX = (side * radiusX * startY) / radiusY
  const centreY = (-side * radiusY * startX) / radiusX
  const first = Math.atan2((startY - centreY) / radiusY, (startX - centreX) / radiusX)
  const last = Math.atan2((-startY - centreY) / radiusY, (-startX - centreX) / radiusX)
  const turn = 2 * Math.PI
  const movedX = cos * centreX - sin * centreY + (fromX + toX) / 2
  const movedY = sin * centreX + cos * centreY + (fromY + toY) / 2

  /** The point at an angle, moved along the tangent by `handle` of the unit circle. */
  function pointAt(at: number, handle: number): readonly [x: number, y: number] {
    const x = radiusX * (Math.cos(at) - handle * Math.sin(at))
    const y = radiusY * (Math.sin(at) + handle * Math.cos(at))
    return [cos * x - sin * y + movedX, sin * x + cos * y + movedY]
  }
  const spanned = arc.isSweep ? (last - first + turn) % turn : -((first - last + turn) % turn)
  return { first, spanned, pointAt }
}
