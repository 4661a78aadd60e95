import {
  type Contour,
  type Outline,
  OutlineBuilder,
  type Point,
  reverseContour,
  type Segment,
} from './outline.ts'
import { miterTip, normal, type Pen, rotate } from './stroke-pen.ts'
import { isTight, linesOf, type Piece, piecesOf, turnBetween } from './stroke-pieces.ts'

/**
 * Covers a line of a pen's width along an outline, as an outline to be filled by the non-zero rule. Undefined where
 * that would have more than `segmentsMax` lines and curves.
 *
 * Each edge of the line is a chain of strips, between a piece of the path and its copy half a width beside it. Strips
 * wind the same way, so that nothing cancels out where they overlap: on the inner side of a corner the chain goes by way
 * of the corner itself, and a curve that is too tight for its copy becomes lines with such corners.
 *
 * Drawn as pixels by resvg instead, a logo of three strokes makes a card 6.6 times as large (14.6 kB with gzip, not 2.2).
 */
export function strokeOutline(outline: Outline, pen: Pen, segmentsMax: number): Outline | undefined {
  if (outline.reduce((sum, { segments }) => sum + segments.length, 0) > segmentsMax / 4) return undefined
  const contours = outline.map((contour) => ({ contour, pieces: piecesOf(contour) }))
  // Two edges, and a join or two lines of a cap for each.
  if (contours.reduce((sum, { pieces }) => sum + 4 * pieces.length + 4, 0) > segmentsMax) return undefined
  return contours.flatMap(({ contour, pieces }) => strokeContour(contour, pieces, pen))
}

function strokeContour(contour: Contour, pieces: readonly Piece[], pen: Pen): Outline {
  if (pieces.length === 0) return dot(contour.start, pen)
  const left = side(pieces, contour.isClosed, pen, 1)
  const right = reverseContour(side(pieces, contour.isClosed, pen, -1))
  if (contour.isClosed) return [left, right]
  const [first, last] = [pieces[0], pieces.at(-1)]
  if (first === undefined || last === undefined) return []
  const builder = new OutlineBuilder()
  builder.moveTo(left.start.x, left.start.y)
  append(builder, left.segments)
  cap(builder, last.segment.to, last.endsTo, pen)
  append(builder, right.segments)
  cap(builder, first.segment.from, { x: -first.startsTo.x, y: -first.startsTo.y }, pen)
  builder.close()
  return builder.finish()
}

/** A subpath without length: a round or square mark where it has such a cap. */
function dot({ x, y }: Point, { width, cap: shape }: Pen): Outline {
  if (shape === 'butt') return []
  const half = width / 2
  const builder = new OutlineBuilder()
  if (shape === 'square') {
    builder.moveTo(x - half, y - half)
    builder.lineTo(x + half, y - half)
    builder.lineTo(x + half, y + half)
    builder.lineTo(x - half, y + half)
  } else {
    builder.moveTo(x + half, y)
    turnAround(builder, { x, y }, { x: half, y: 0 }, 2 * Math.PI)
  }
  builder.close()
  return builder.finish()
}

/** One edge of the line, from its start to its end: half a width beside it. */
function side(given: readonly Piece[], isClosed: boolean, pen: Pen, sign: 1 | -1): Contour {
  const distance = (sign * pen.width) / 2
  const pieces = given.flatMap((piece) => (isTight(piece, distance) ? linesOf(piece) : [piece]))
  const builder = new OutlineBuilder()
  for (const [index, piece] of pieces.entries()) {
    const copy = offset(piece, distance)
    if (index === 0) builder.moveTo(copy.from.x, copy.from.y)
    else builder.lineTo(copy.from.x, copy.from.y)
    append(builder, [copy])
    const next = pieces[index + 1] ?? (isClosed ? pieces[0] : undefined)
    if (next !== undefined) join(builder, piece, next, pen, distance)
  }
  if (isClosed) builder.close()
  const [contour] = builder.finish()
  return contour ?? { start: { x: 0, y: 0 }, segments: [], isClosed }
}

function append(builder: OutlineBuilder, segments: readonly Segment[]): void {
  for (const { to, controls } of segments) {
    if (controls === undefined) builder.lineTo(to.x, to.y)
    else builder.cubicTo(controls[0].x, controls[0].y, controls[1].x, controls[1].y, to.x, to.y)
  }
}

function plus(a: Point, b: Point): Point {
  return { x: a.x + b.x, y: a.y + b.y }
}

function offset({ segment: { from, to, controls }, startsTo, endsTo }: Piece, distance: number): Segment {
  const line = { from: plus(from, normal(startsTo, distance)), to: plus(to, normal(endsTo, distance)) }
  if (controls === undefined) return line
  const [chordX, chordY] = [to.x - from.x, to.y - from.y]
  const square = chordX * chordX + chordY * chordY
  // Negative where the curve turns inside out.
  const growth =
    square > 0 ? ((line.to.x - line.from.x) * chordX + (line.to.y - line.from.y) * chordY) / square : 1
  return {
    ...line,
    controls: [
      {
        x: line.from.x + growth * (controls[0].x - from.x),
        y: line.from.y + growth * (controls[0].y - from.y),
      },
      { x: line.to.x + growth * (controls[1].x - to.x), y: line.to.y + growth * (controls[1].y - to.y) },
    ],
  }
}

/** In radians: a join that turns less is none. */
const smooth = 1e-3

/** Goes from the end of one piece's edge to the start of the next one's. */
function join(builder: OutlineBuilder, piece: Piece, next: Piece, pen: Pen, distance: number): void {
  const turn = turnBetween(piece.endsTo, next.startsTo)
  if (Math.abs(turn) < smooth) return
  const at = piece.segment.to
  const isInner = turn > 0 === distance > 0
  if (isInner) {
    // Goes through the corner itself, so that short pieces leave no hole.
    builder.lineTo(at.x, at.y)
    return
  }
  if (pen.join === 'round') turnAround(builder, at, normal(piece.endsTo, distance), turn)
  if (pen.join === 'miter' && 1 / Math.cos(turn / 2) <= pen.miterLimit) {
    const tip = miterTip(at, piece.endsTo, next.startsTo, distance)
    builder.lineTo(tip.x, tip.y)
  }
}

/** Goes from the left edge to the right one, around the end of a line that comes in this direction. */
function cap(builder: OutlineBuilder, at: Point, towards: Point, { width, cap: shape }: Pen): void {
  const half = width / 2
  const across = normal(towards, half)
  if (shape === 'round') turnAround(builder, at, across, -Math.PI)
  if (shape === 'square') {
    const ahead = { x: at.x + towards.x * half, y: at.y + towards.y * half }
    builder.lineTo(ahead.x + across.x, ahead.y + across.y)
    builder.lineTo(ahead.x - across.x, ahead.y - across.y)
  }
  builder.lineTo(at.x - across.x, at.y - across.y)
}

/** An arc around a point, from `centre + arm`, by an angle. */
function turnAround(builder: OutlineBuilder, centre: Point, arm: Point, angle: number): void {
  const steps = Math.max(1, Math.ceil(Math.abs(angle) / (Math.PI / 2)))
  const step = angle / steps
  const handle = (4 / 3) * Math.tan(step / 4)
  let from = arm
  for (let index = 0; index < steps; index++) {
    const to = rotate(arm, step * (index + 1))
    builder.cubicTo(
      centre.x + from.x - handle * from.y,
      centre.y + from.y + handle * from.x,
      centre.x + to.x + handle * to.y,
      centre.y + to.y - handle * to.x,
      centre.x + to.x,
      centre.y + to.y,
    )
    from = to
  }
}
