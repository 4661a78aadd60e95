import { endBlock, memoryEnd, reach, takeBlock } from './memory'

/** Straight edges in pixels, four f64 each: x0, y0, x1, y1 in drawing order. No edge is horizontal. */
export const edgeBytes: usize = 32
export let edges: usize = 0
export let edgesEnd: usize = 0
/** For each contour a u32, the address where its edges end. */
export let contourEnds: usize = 0
export let contourCount: u32 = 0
/** The box around all edges. */
export let inkLeft: f64 = Infinity
export let inkTop: f64 = Infinity
export let inkRight: f64 = -Infinity
export let inkBottom: f64 = -Infinity

/** Begins an empty list. It is the latest block of memory until `endEdges`. */
export function startEdges(contoursMax: u32): void {
  contourEnds = takeBlock((<usize>contoursMax) << 2)
  contourCount = 0
  edges = takeBlock(0)
  edgesEnd = edges
  inkLeft = inkTop = Infinity
  inkRight = inkBottom = -Infinity
}

export function endEdges(): void {
  endBlock(edgesEnd)
}

function addEdge(x0: f64, y0: f64, x1: f64, y1: f64): void {
  if (y0 === y1) return
  const at = edgesEnd
  edgesEnd = at + edgeBytes
  if (edgesEnd > memoryEnd()) reach(edgesEnd)
  store<f64>(at, x0)
  store<f64>(at, y0, 8)
  store<f64>(at, x1, 16)
  store<f64>(at, y1, 24)
  addToInk(x0, y0)
  addToInk(x1, y1)
}

function addToInk(x: f64, y: f64): void {
  if (x < inkLeft) inkLeft = x
  if (x > inkRight) inkRight = x
  if (y < inkTop) inkTop = y
  if (y > inkBottom) inkBottom = y
}

function endContour(): void {
  const before = contourCount === 0 ? edges : <usize>load<u32>(contourEnds + ((<usize>contourCount - 1) << 2))
  if (edgesEnd <= before) return
  store<u32>(contourEnds + ((<usize>contourCount) << 2), <u32>edgesEnd)
  contourCount++
}

export function upper(edge: usize): f64 {
  return min(load<f64>(edge, 8), load<f64>(edge, 24))
}

export function lower(edge: usize): f64 {
  return max(load<f64>(edge, 8), load<f64>(edge, 24))
}

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
