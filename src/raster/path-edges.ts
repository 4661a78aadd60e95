import type { PathSink } from '../svg/path-sink.ts'
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
  const pen = new EdgePen(edges, placement)
  readPath(d, pen)
  pen.endContour()
}

/** Where a path is drawn: holds the current point, in the numbers of the path. */
class EdgePen implements PathSink {
  private x = 0
  private y = 0
  private startX = 0
  private startY = 0
  private readonly edges: EdgeList
  private readonly placement: Placement

  constructor(edges: EdgeList, placement: Placement) {
    this.edges = edges
    this.placement = placement
  }

  moveTo(x: number, y: number): void {
    this.endContour()
    this.x = this.startX = x
    this.y = this.startY = y
  }

  lineTo(x: number, y: number): void {
    const { x: dx, y: dy, scaleX, scaleY } = this.placement
    this.edges.add(this.x * scaleX + dx, this.y * scaleY + dy, x * scaleX + dx, y * scaleY + dy)
    this.x = x
    this.y = y
  }

  quadraticTo(cx: number, cy: number, toX: number, toY: number): void {
    const { x, y } = this
    const { scaleX, scaleY } = this.placement
    const bendPx = Math.hypot((x - 2 * cx + toX) * scaleX, (y - 2 * cy + toY) * scaleY)
    const steps = stepsFor(bendPx / 4)
    for (let i = 1; i < steps; i++) {
      const t = i / steps
      const u = 1 - t
      this.lineTo(u * u * x + 2 * u * t * cx + t * t * toX, u * u * y + 2 * u * t * cy + t * t * toY)
    }
    this.lineTo(toX, toY)
  }

  cubicTo(ax: number, ay: number, bx: number, by: number, toX: number, toY: number): void {
    const { x, y } = this
    const { scaleX, scaleY } = this.placement
    const bendPx = Math.max(
      Math.hypot((x - 2 * ax + bx) * scaleX, (y - 2 * ay + by) * scaleY),
      Math.hypot((ax - 2 * bx + toX) * scaleX, (ay - 2 * by + toY) * scaleY),
    )
    const steps = stepsFor(bendPx * 0.75)
    for (let i = 1; i < steps; i++) {
      const t = i / steps
      const u = 1 - t
      const a = u * u * u
      const b = 3 * u * u * t
      const c = 3 * u * t * t
      const e = t * t * t
      this.lineTo(a * x + b * ax + c * bx + e * toX, a * y + b * ay + c * by + e * toY)
    }
    this.lineTo(toX, toY)
  }

  close(): void {
    this.lineTo(this.startX, this.startY)
  }

  endContour(): void {
    this.close()
    this.edges.endContour()
  }
}

function stepsFor(deviationPx: number): number {
  return Math.min(stepsMax, Math.ceil(Math.sqrt(deviationPx / tolerancePx)))
}
