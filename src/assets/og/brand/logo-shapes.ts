import { hash } from 'node:crypto'
import type { Box } from '../../../svg/box.ts'
import type { Matrix } from '../../../svg/matrix.ts'
import { mapOutline, outlineToPath, type Segment } from '../../../svg/outline.ts'
import { NeedsPixels, UnreadableSvg } from '../../../svg/svg-errors.ts'
import { boundsOf, type DrawnShape, isBoxWithin, type SvgShapes } from '../../../svg/svg-shapes.ts'
import type { ShapesLogo } from './card-logo.ts'

/** The longer side of a logo's own view box, and how exact its coordinates are. */
const longSide = 1000
const decimals = 1
/** The longer side by the shorter one. A logo of a card is at most 600 pixels wide, so a thinner one is not seen. */
const aspectMax = 500
/** A margin up to this share of a side belongs to the logo: its view box is kept. */
const marginMax = 0.02
/** Length of all path data together, in characters. */
const pathLengthMax = 100_000

/**
 * A logo of what an SVG draws, without the margins around it.
 * @throws NeedsPixels when what it shows is cut off by its view box, or its outlines are too long.
 * @throws UnreadableSvg when there is nothing to see.
 */
export function logoOfShapes({ shapes: drawn, viewBox }: SvgShapes): ShapesLogo {
  const visible = drawn.filter(isVisible)
  if (visible.length === 0) throw new UnreadableSvg('shows nothing')
  const ink = boundsOf(visible)
  if (viewBox !== undefined && !isBoxWithin(ink, viewBox)) throw new NeedsPixels('a drawing that is cut off')
  const box = trimmed(ink, viewBox)
  const [width, height] = [box.right - box.left, box.bottom - box.top]
  const scale = longSide / Math.max(width, height)
  // Also false where the sides are too small, or too far from the origin, to be told from 0.
  if (!(Math.min(width, height) * scale * aspectMax >= longSide))
    throw new UnreadableSvg(`is too thin: its longer side may be ${aspectMax} times the shorter one`)
  const place: Matrix = [scale, 0, 0, scale, -box.left * scale, -box.top * scale]
  const shapes = visible.map(({ outline, fill, opacity }) => {
    const d = outlineToPath(mapOutline(outline, place), decimals)
    return { d, fill, ...(opacity < 1 ? { opacity: Math.round(opacity * 1000) / 1000 } : {}) }
  })
  if (shapes.reduce((sum, { d }) => sum + d.length, 0) > pathLengthMax) throw new NeedsPixels('long outlines')
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) }
  const key = hash('sha256', JSON.stringify([size, shapes]))
  const [first] = shapes
  const isSingle = first !== undefined && shapes.every(({ fill }) => fill === first.fill)
  return { kind: 'shapes', key, ...size, shapes, ...(isSingle ? { singleColor: first.fill } : {}) }
}

function isVisible({ outline, opacity }: DrawnShape): boolean {
  return opacity > 0 && outline.some(({ segments }) => !isStraight(segments))
}

/** Whether all points lie on one line: nothing is filled. */
function isStraight(segments: readonly Segment[]): boolean {
  const points = segments.flatMap(({ from, to, controls = [] }) => [from, to, ...controls])
  const [first] = points
  const other = points.find(({ x, y }) => x !== first?.x || y !== first.y)
  if (first === undefined || other === undefined) return true
  const [dx, dy] = [other.x - first.x, other.y - first.y]
  return points.every(({ x, y }) => dx * (y - first.y) === dy * (x - first.x))
}

/** The view box where the ink reaches both of its edges, in each direction; else the ink. */
function trimmed(ink: Box, viewBox: Box | undefined): Box {
  if (viewBox === undefined) return ink
  const slackX = (viewBox.right - viewBox.left) * marginMax
  const slackY = (viewBox.bottom - viewBox.top) * marginMax
  const isWide = ink.left - viewBox.left <= slackX && viewBox.right - ink.right <= slackX
  const isTall = ink.top - viewBox.top <= slackY && viewBox.bottom - ink.bottom <= slackY
  const horizontal = isWide ? viewBox : ink
  const vertical = isTall ? viewBox : ink
  return { left: horizontal.left, right: horizontal.right, top: vertical.top, bottom: vertical.bottom }
}
