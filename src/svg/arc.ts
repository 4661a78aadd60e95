import type { PathSink } from './path-sink.ts'

export interface Arc {
  readonly fromX: number
  readonly fromY: number
  readonly radiusX: number
  readonly radiusY: number
  /** Degrees from the x axis to the ellipse's. */
  readonly rotation: number
  readonly isLarge: boolean
  /** Clockwise on the screen. */
  readonly isSweep: boolean
  readonly toX: number
  readonly toY: number
}

/** At an eighth of a turn a cubic leaves its circle by less than 5 millionths of the radius. */
const stepMax = Math.PI / 4

/** Draws an SVG arc as cubic curves; as a line where a radius is 0. Nothing where it ends at its start. */
export function arcToCubics(arc: Arc, sink: PathSink): void {
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

/**
 * The ellipse of an arc, as the SVG specification converts endpoints to a centre; undefined for a line. Angles are in
 * radians: `first` where the arc starts, `spanned` how far it goes, negative against the clock.
 */
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
