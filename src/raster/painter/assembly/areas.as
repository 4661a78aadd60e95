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
    let x = clamp(x0 + (y - y0) * slope, left, right)
    let row = Math.floor(y)
    let base = areas + ((<usize>((<i32>row - top) * stride)) << 2)
    const rowBytes = (<usize>stride) << 2
    for (; y < end; base += rowBytes) {
      row += 1
      const nextY = row < end ? row : end
      const nextX = clamp(x0 + (nextY - y0) * slope, left, right)
      addRowAreas(base, left, x, nextX, (nextY - y) * winding)
      y = nextY
      x = nextX
    }
  }
}

function clamp(value: f64, low: i32, high: i32): f64 {
  return value > <f64>low ? (value < <f64>high ? value : <f64>high) : <f64>low
}

/** One edge within one row: every pixel that it crosses takes its share of `height`, split at the mean x. */
function addRowAreas(base: usize, left: i32, x0: f64, x1: f64, height: f64): void {
  const isRight = x0 < x1
  const low = isRight ? x0 : x1
  const high = isRight ? x1 : x0
  let column = Math.floor(low)
  let at = base + ((<usize>(<i32>column - left)) << 2)
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
  const share = f64x2.mul(f64x2.splat(height), f64x2.replace_lane(f64x2.splat(1 - outside), 1, outside))
  const sum = f64x2.add(f64x2.promote_low_f32x4(v128.load_zero<u64>(at)), share)
  v128.store_lane<u64>(at, f32x4.demote_f64x2_zero(sum), 0)
}
