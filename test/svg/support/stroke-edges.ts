import type { Edge } from '../../../src/svg/fill-coverage.ts'
import { type Contour, type Outline, type Point, pointOfCubic } from '../../../src/svg/outline.ts'
import { miterTip, normal, type Pen, rotate } from '../../../src/svg/stroke-pen.ts'
import { direction, type Piece, piecesOf, turnBetween } from '../../../src/svg/stroke-pieces.ts'

/** Lines that a piece of a curve, which turns little, is measured as. */
const linesPerPiece = 6
/** In radians: the steps of an arc. */
const arcStep = 0.1

/**
 * The edges of what a stroke covers, put together from polygons that all wind the same way: one for each line, join and
 * cap. It shares nothing with `strokeOutline` but where curves are divided.
 */
export function strokeEdges(outline: Outline, pen: Pen): readonly Edge[] {
  return outline.flatMap((contour) => polygonsOf(contour, pen)).flatMap(edgesOfPolygon)
}

type Polygon = readonly Point[]

function polygonsOf(contour: Contour, pen: Pen): readonly Polygon[] {
  const pieces = piecesOf(contour)
  const half = pen.width / 2
  const [first, last] = [pieces[0], pieces.at(-1)]
  if (first === undefined || last === undefined) {
    if (pen.cap === 'butt') return []
    const ahead = { x: 1, y: 0 }
    const behind = { x: -1, y: 0 }
    return [capPolygon(contour.start, ahead, pen), capPolygon(contour.start, behind, pen)]
  }
  const joins = pieces.flatMap((piece, index) => {
    const next = pieces[index + 1] ?? (contour.isClosed ? first : undefined)
    return next === undefined ? [] : joinPolygons(piece, next, pen)
  })
  const lines = pieces.flatMap((piece) => linePolygons(piece, half))
  if (contour.isClosed) return [...lines, ...joins]
  const back = { x: -first.startsTo.x, y: -first.startsTo.y }
  return [
    ...lines,
    ...joins,
    capPolygon(first.segment.from, back, pen),
    capPolygon(last.segment.to, last.endsTo, pen),
  ]
}

function linePolygons({ segment, startsTo, endsTo }: Piece, half: number): readonly Polygon[] {
  const { from, to, controls } = segment
  const points =
    controls === undefined
      ? [from, to]
      : Array.from({ length: linesPerPiece + 1 }, (_, index) =>
          pointOfCubic(segment, controls, index / linesPerPiece),
        )
  const polygons: Polygon[] = []
  let before = normal(startsTo, half)
  for (const [index, a] of points.entries()) {
    const b = points[index + 1]
    const towards = b && direction(a, b)
    if (b === undefined || towards === undefined) continue
    const n = normal(towards, half)
    polygons.push([moved(a, n), moved(b, n), moved(b, n, -1), moved(a, n, -1)])
    polygons.push(...wedges(a, before, n))
    before = n
  }
  return [...polygons, ...wedges(to, before, normal(endsTo, half))]
}

/** The gaps that two lines leave where they meet, on either side. */
function wedges(at: Point, before: Point, after: Point): readonly Polygon[] {
  return [
    [at, moved(at, before), moved(at, after)],
    [at, moved(at, before, -1), moved(at, after, -1)],
  ]
}

function joinPolygons(piece: Piece, next: Piece, { join, width, miterLimit }: Pen): readonly Polygon[] {
  const at = piece.segment.to
  const turn = turnBetween(piece.endsTo, next.startsTo)
  const distance = turn > 0 ? -width / 2 : width / 2
  const arm = normal(piece.endsTo, distance)
  if (join === 'round') return [[at, ...arc(at, arm, turn)]]
  const end = moved(at, normal(next.startsTo, distance))
  const hasTip = join === 'miter' && 1 / Math.cos(turn / 2) <= miterLimit
  const tip = hasTip ? [miterTip(at, piece.endsTo, next.startsTo, distance)] : []
  return [[at, moved(at, arm), ...tip, end]]
}

function capPolygon(at: Point, towards: Point, { cap, width }: Pen): Polygon {
  const half = width / 2
  const across = normal(towards, half)
  if (cap === 'butt') return []
  if (cap === 'round') return arc(at, across, -Math.PI)
  const ahead = { x: at.x + towards.x * half, y: at.y + towards.y * half }
  return [moved(at, across), moved(ahead, across), moved(ahead, across, -1), moved(at, across, -1)]
}

function arc(centre: Point, arm: Point, angle: number): Polygon {
  const steps = Math.max(1, Math.ceil(Math.abs(angle) / arcStep))
  return Array.from({ length: steps + 1 }, (_, index) => moved(centre, rotate(arm, (angle * index) / steps)))
}

function moved({ x, y }: Point, by: Point, times = 1): Point {
  return { x: x + times * by.x, y: y + times * by.y }
}

function edgesOfPolygon(polygon: Polygon): readonly Edge[] {
  const edges = polygon.map((from, index) => ({ from, to: polygon[(index + 1) % polygon.length] ?? from }))
  const area = edges.reduce((sum, { from, to }) => sum + from.x * to.y - to.x * from.y, 0)
  return area < 0 ? edges.map(({ from, to }) => ({ from: to, to: from })) : edges
}
