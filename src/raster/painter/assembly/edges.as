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

export function addEdge(x0: f64, y0: f64, x1: f64, y1: f64): void {
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

export function endContour(): void {
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
