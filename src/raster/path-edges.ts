import { arcCurve } from '../svg/arc.ts'
import { PathReader } from '../svg/path-reader.ts'
import type { EdgeList } from './edges.ts'

/** How the numbers of a path become pixels: x · scaleX + x0, y · scaleY + y0. */
export interface Placement {
  readonly x: number
  readonly y: number
  readonly scaleX: number
  readonly scaleY: number
}

/** A chord may leave its curve by this much; this does not show. */
const tolerancePx = 1 / 24
const largestSteps = 64

/**
 * Reads the SVG path `d` (every command, absolute and relative) and adds its edges.
 * Open contours are closed, as filling demands.
 * @throws RangeError when `d` is not path data.
 */
export function addPathEdges(edges: EdgeList, d: string, { x: dx, y: dy, scaleX, scaleY }: Placement): void {
  const path = new PathReader(d)
  let x = 0
  let y = 0
  let startX = 0
  let startY = 0
  // The last control point, for the smooth commands; equal to (x, y) when there is none.
  let controlX = 0
  let controlY = 0
  let previous = ''

  function lineTo(toX: number, toY: number) {
    edges.add(x * scaleX + dx, y * scaleY + dy, toX * scaleX + dx, toY * scaleY + dy)
    x = toX
    y = toY
  }
  function quadTo(cx: number, cy: number, toX: number, toY: number) {
    const bendPx = Math.hypot((x - 2 * cx + toX) * scaleX, (y - 2 * cy + toY) * scaleY)
    const steps = stepsFor(bendPx / 4)
    const fromX = x
    const fromY = y
    for (let i = 1; i < steps; i++) {
      const t = i / steps
      const u = 1 - t
      lineTo(u * u * fromX + 2 * u * t * cx + t * t * toX, u * u * fromY + 2 * u * t * cy + t * t * toY)
    }
    lineTo(toX, toY)
    controlX = cx
    controlY = cy
  }
  function cubicTo(ax: number, ay: number, bx: number, by: number, toX: number, toY: number) {
    const bendPx = Math.max(
      Math.hypot((x - 2 * ax + bx) * scaleX, (y - 2 * ay + by) * scaleY),
      Math.hypot((ax - 2 * bx + toX) * scaleX, (ay - 2 * by + toY) * scaleY),
    )
    const steps = stepsFor(bendPx * 0.75)
    const fromX = x
    const fromY = y
    for (let i = 1; i < steps; i++) {
      const t = i / steps
      const u = 1 - t
      const a = u * u * u
      const b = 3 * u * u * t
      const c = 3 * u * t * t
      const e = t * t * t
      lineTo(a * fromX + b * ax + c * bx + e * toX, a * fromY + b * ay + c * by + e * toY)
    }
    lineTo(toX, toY)
    controlX = bx
    controlY = by
  }

  function arcTo(
    radiusX: number,
    radiusY: number,
    rotation: number,
    isLarge: boolean,
    isSweep: boolean,
    toX: number,
    toY: number,
  ) {
    const curve = arcCurve({ fromX: x, fromY: y, radiusX, radiusY, rotation, isLarge, isSweep, toX, toY })
    if (curve) {
      const radiusPx = curve.largerRadius * Math.max(Math.abs(scaleX), Math.abs(scaleY))
      // A chord over the angle a is r·a²/8 away from its arc.
      const steps = stepsFor((radiusPx * curve.spanned ** 2) / 8)
      for (let i = 1; i < steps; i++) lineTo(...curve.at(i / steps))
    }
    lineTo(toX, toY)
  }

  for (let command = path.nextCommand(''); command !== ''; command = path.nextCommand(command)) {
    const kind = command.toUpperCase()
    const isRelative = command !== kind
    const baseX = isRelative ? x : 0
    const baseY = isRelative ? y : 0
    const smoothX = 2 * x - controlX
    const smoothY = 2 * y - controlY
    switch (kind) {
      case 'M':
        lineTo(startX, startY)
        edges.endContour()
        x = startX = baseX + path.next()
        y = startY = baseY + path.next()
        break
      case 'L':
        lineTo(baseX + path.next(), baseY + path.next())
        break
      case 'H':
        lineTo(baseX + path.next(), y)
        break
      case 'V':
        lineTo(x, baseY + path.next())
        break
      case 'Q':
        quadTo(baseX + path.next(), baseY + path.next(), baseX + path.next(), baseY + path.next())
        break
      case 'T': {
        const isSmooth = previous === 'Q' || previous === 'T'
        quadTo(isSmooth ? smoothX : x, isSmooth ? smoothY : y, baseX + path.next(), baseY + path.next())
        break
      }
      case 'C': {
        const ax = baseX + path.next()
        const ay = baseY + path.next()
        cubicTo(ax, ay, baseX + path.next(), baseY + path.next(), baseX + path.next(), baseY + path.next())
        break
      }
      case 'S': {
        const isSmooth = previous === 'C' || previous === 'S'
        const bx = baseX + path.next()
        const by = baseY + path.next()
        cubicTo(
          isSmooth ? smoothX : x,
          isSmooth ? smoothY : y,
          bx,
          by,
          baseX + path.next(),
          baseY + path.next(),
        )
        break
      }
      case 'A':
        arcTo(
          path.next(),
          path.next(),
          path.next(),
          path.flag(),
          path.flag(),
          baseX + path.next(),
          baseY + path.next(),
        )
        break
      case 'Z':
        lineTo(startX, startY)
        break
      default:
        throw new RangeError(`${command} is no path command`)
    }
    previous = kind
  }
  lineTo(startX, startY)
  edges.endContour()
}

function stepsFor(deviationPx: number): number {
  return Math.min(largestSteps, Math.ceil(Math.sqrt(deviationPx / tolerancePx)))
}
