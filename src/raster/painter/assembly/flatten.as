import { addEdge, endContour } from './edges'

/** A chord may leave its curve by this much; this does not show. */
const tolerancePx: f64 = 1.0 / 24.0
const stepsMax: f64 = 64

/** How the numbers of a path become pixels: x · scaleX + dx, y · scaleY + dy. */
let dx: f64 = 0
let dy: f64 = 0
let scaleX: f64 = 1
let scaleY: f64 = 1
/** The current point and the start of the contour, in the numbers of the path. */
let x: f64 = 0
let y: f64 = 0
let startX: f64 = 0
let startY: f64 = 0

export function placeOutline(toX: f64, toY: f64, byX: f64, byY: f64): void {
  dx = toX
  dy = toY
  scaleX = byX
  scaleY = byY
}

/**
 * Adds the edges of an outline, its curves as chords. Open contours are closed, as filling demands. The outline is f64s, for
 * each part the count of its points and their coordinates: 1 is a line, 2 and 3 are curves, 0 is the start of a contour with
 * its one point, -1 closes a contour.
 */
export function flatten(start: usize, end: usize): void {
  x = y = startX = startY = 0
  for (let at = start; at < end; ) {
    const kind = <i32>load<f64>(at)
    if (kind === 0) {
      finishContour()
      x = startX = load<f64>(at, 8)
      y = startY = load<f64>(at, 16)
      at += 24
    } else if (kind < 0) {
      lineTo(startX, startY)
      at += 8
    } else {
      if (kind === 1) lineTo(load<f64>(at, 8), load<f64>(at, 16))
      else if (kind === 2) quadraticTo(at + 8)
      else cubicTo(at + 8)
      at += 8 + ((<usize>kind) << 4)
    }
  }
  finishContour()
}

function finishContour(): void {
  lineTo(startX, startY)
  endContour()
}

function lineTo(toX: f64, toY: f64): void {
  addEdge(x * scaleX + dx, y * scaleY + dy, toX * scaleX + dx, toY * scaleY + dy)
  x = toX
  y = toY
}

function quadraticTo(points: usize): void {
  const x0 = x
  const y0 = y
  const cx = load<f64>(points)
  const cy = load<f64>(points, 8)
  const toX = load<f64>(points, 16)
  const toY = load<f64>(points, 24)
  const steps = stepsFor(lengthOf(x0 - 2 * cx + toX, y0 - 2 * cy + toY) / 4)
  for (let i: f64 = 1; i < steps; i++) {
    const t = i / steps
    const u = 1 - t
    lineTo(u * u * x0 + 2 * u * t * cx + t * t * toX, u * u * y0 + 2 * u * t * cy + t * t * toY)
  }
  lineTo(toX, toY)
}

function cubicTo(points: usize): void {
  const x0 = x
  const y0 = y
  const ax = load<f64>(points)
  const ay = load<f64>(points, 8)
  const bx = load<f64>(points, 16)
  const by = load<f64>(points, 24)
  const toX = load<f64>(points, 32)
  const toY = load<f64>(points, 40)
  const bendPx = max(lengthOf(x0 - 2 * ax + bx, y0 - 2 * ay + by), lengthOf(ax - 2 * bx + toX, ay - 2 * by + toY))
  const steps = stepsFor(bendPx * 0.75)
  for (let i: f64 = 1; i < steps; i++) {
    const t = i / steps
    const u = 1 - t
    const a = u * u * u
    const b = 3 * u * u * t
    const c = 3 * u * t * t
    const e = t * t * t
    lineTo(a * x0 + b * ax + c * bx + e * toX, a * y0 + b * ay + c * by + e * toY)
  }
  lineTo(toX, toY)
}

/** The length of a distance in pixels, given in the numbers of the path. */
function lengthOf(x: f64, y: f64): f64 {
  const xPx = x * scaleX
  const yPx = y * scaleY
  return Math.sqrt(xPx * xPx + yPx * yPx)
}

function stepsFor(deviationPx: f64): f64 {
  return min(stepsMax, Math.ceil(Math.sqrt(deviationPx / tolerancePx)))
}
