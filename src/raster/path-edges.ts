import { readPath } from '../svg/read-path.ts'
import type { EdgeList } from './edge-list.ts'

/** How the numbers of a path become pixels: x · scaleX + x0, y · scaleY + y0. */
export interface Placement {
  readonly x: number
  readonly y: number
  readonly scaleX: number
  readonly scaleY: number
}

/** A chord may leave its curve by this much; this does not show. */
const tolerancePx = 1 / 24
const stepsMax = 64

/**
 * Adds the edges of the SVG path `d`, its curves as chords. Open contours are closed, as filling demands.
 * @throws RangeError when `d` is not path data.
 */
export function addPathEdges(edges: EdgeList, d: string, placement: Placement): void {
  const { x: dx, y: dy, scaleX, scaleY } = placement
  // The current point and the start of the contour, in the numbers of the path.
  let [x, y, startX, startY] = [0, 0, 0, 0]

  function lineTo(toX: number, toY: number): void {
    edges.add(x * scaleX + dx, y * scaleY + dy, toX * scaleX + dx, toY * scaleY + dy)
    x = toX
    y = toY
  }
  function endContour(): void {
    lineTo(startX, startY)
    edges.endContour()
  }

  readPath(d, {
    moveTo(toX, toY) {
      endContour()
      x = startX = toX
      y = startY = toY
    },
    lineTo,
    quadraticTo(cx, cy, toX, toY) {
      const [x0, y0] = [x, y]
      const steps = stepsFor(Math.hypot((x0 - 2 * cx + toX) * scaleX, (y0 - 2 * cy + toY) * scaleY) / 4)
      for (let i = 1; i < steps; i++) {
        const t = i / steps
        const u = 1 - t
        lineTo(u * u * x0 + 2 * u * t * cx + t * t * toX, u * u * y0 + 2 * u * t * cy + t * t * toY)
      }
      lineTo(toX, toY)
    },
    cubicTo(ax, ay, bx, by, toX, toY) {
      const [x0, y0] = [x, y]
      const bendPx = Math.max(
        Math.hypot((x0 - 2 * ax + bx) * scaleX, (y0 - 2 * ay + by) * scaleY),
        Math.hypot((ax - 2 * bx + toX) * scaleX, (ay - 2 * by + toY) * scaleY),
      )
      const steps = stepsFor(bendPx * 0.75)
      for (let i = 1; i < steps; i++) {
        const t = i / steps
        const u = 1 - t
        const [a, b, c, e] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t]
        lineTo(a * x0 + b * ax + c * bx + e * toX, a * y0 + b * ay + c * by + e * toY)
      }
      lineTo(toX, toY)
    },
    close: () => lineTo(startX, startY),
  })
  endContour()
}

function stepsFor(deviationPx: number): number {
  return Math.min(stepsMax, Math.ceil(Math.sqrt(deviationPx / tolerancePx)))
}
