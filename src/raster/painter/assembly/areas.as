import { edgeBytes, edges, edgesEnd } from './edges'

/**
 * Adds, for every edge and pixel row, the signed share of pixels to the right of the edge, as the differences between
 * neighbours: a running sum along a row then gives each pixel's winding, averaged over its area. The f32 of row `y`, column
 * `x` is number `(y - top) * stride + x - left`. Edges beyond the left or right side count as lying on it.
 */
export function addAreas(areas: usize, stride: i32, left: i32, right: i32, top: i32, bottom: i32): void {
  for (let edge = edges; edge < edgesEnd; edge += edgeBytes) {
    const isDown = load<f64>(edge, 8) < load<f64>(edge, 24)
    const first = isDown ? edge : edge + 16
    const last = isDown ? edge + 16 : edge
    const x0 = load<f64>(first)
    const y0 = load<f64>(first, 8)
    const y1 = load<f64>(last, 8)
    const slope = (load<f64>(last) - x0) / (y1 - y0)
    const winding: f64 = isDown ? 1 : -1
    const end = min(y1, <f64>bottom)
    let y = max(y0, <f64>top)
    let x = x0 + (y - y0) * slope
    while (y < end) {
      const row = Math.floor(y)
      const nextY = min(row + 1, end)
      const nextX = x0 + (nextY - y0) * slope
      const base = areas + ((<usize>((<i32>row - top) * stride)) << 2)
      addRowAreas(base, left, right, clamp(x, left, right), clamp(nextX, left, right), (nextY - y) * winding)
      y = nextY
      x = nextX
    }
  }
}

function clamp(value: f64, low: i32, high: i32): f64 {
  return min(<f64>high, max(<f64>low, value))
}

/** One edge within one row: every pixel that it crosses takes its share of `height`, split at the mean x. */
function addRowAreas(base: usize, left: i32, right: i32, x0: f64, x1: f64, height: f64): void {
  const low = min(x0, x1)
  const high = max(x0, x1)
  let column = Math.floor(low)
  // Not a number becomes the left side, so that nothing is written outside of the row.
  let at = base + ((<usize>(max(left, min(right, <i32>column)) - left)) << 2)
  if (high <= column + 1) {
    addShare(at, height, (low + high) / 2 - column)
    return
  }
  const heightPerPx = height / (high - low)
  for (let x = low; x < high; column++, at += 4) {
    const next = min(column + 1, high)
    addShare(at, (next - x) * heightPerPx, (x + next) / 2 - column)
    x = next
  }
}

function addShare(at: usize, height: f64, outside: f64): void {
  store<f32>(at, <f32>(<f64>load<f32>(at) + height * (1 - outside)))
  store<f32>(at, <f32>(<f64>load<f32>(at, 4) + height * outside), 4)
}
