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

export interface ArcCurve {
  /** The angle that the arc spans, in radians. */
  readonly spanned: number
  readonly largerRadius: number
  /** The point at this share of the way, 0 to 1. */
  at(share: number): readonly [x: number, y: number]
}

/** The curve of an SVG arc, found as the SVG specification says (conversion from endpoints to centre); undefined for a line. */
export function arcCurve(arc: Arc): ArcCurve | undefined {
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
  const offset = Math.sqrt(Math.max(0, 1 / Math.max(reach, 1e-300) - 1)) * (reach > 1 ? 0 : 1)
  const side = arc.isLarge === arc.isSweep ? -offset : offset
  const centreX = (side * radiusX * startY) / radiusY
  const centreY = (-side * radiusY * startX) / radiusX
  const first = Math.atan2((startY - centreY) / radiusY, (startX - centreX) / radiusX)
  const last = Math.atan2((-startY - centreY) / radiusY, (-startX - centreX) / radiusX)
  const turn = 2 * Math.PI
  const spanned = arc.isSweep ? (last - first + turn) % turn : -((first - last + turn) % turn)
  const middleX = cos * centreX - sin * centreY + (fromX + toX) / 2
  const middleY = sin * centreX + cos * centreY + (fromY + toY) / 2
  return {
    spanned: Math.abs(spanned),
    largerRadius: Math.max(radiusX, radiusY),
    at(share) {
      const x = radiusX * Math.cos(first + share * spanned)
      const y = radiusY * Math.sin(first + share * spanned)
      return [cos * x - sin * y + middleX, sin * x + cos * y + middleY]
    },
  }
}
