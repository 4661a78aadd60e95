import type { Box } from '../svg/box.ts'
import type { EdgeList } from './edge-list.ts'

/**
 * Adds, for every edge and pixel row, the signed share of pixels to the right of the edge, as the
 * differences between neighbours: a running sum along a row then gives each pixel's winding, averaged
 * over its area. Row `y`, column `x` lies at `(y - top) * stride + x - left`. Edges beyond the left or
 * right side count as lying on it.
 */
export function addAreas(areas: Float32Array, stride: number, edges: EdgeList, clip: Box): void {
  const { left, right, top, bottom } = clip
  const { values } = edges
  for (let at = 0; at < edges.count * 4; at += 4) {
    const isDown = (values[at + 1] as number) < (values[at + 3] as number)
    const first = isDown ? at : at + 2
    const last = isDown ? at + 2 : at
    const x0 = values[first] as number
    const y0 = values[first + 1] as number
    const y1 = values[last + 1] as number
    const slope = ((values[last] as number) - x0) / (y1 - y0)
    const winding = isDown ? 1 : -1
    const end = Math.min(y1, bottom)
    let y = Math.max(y0, top)
    let x = x0 + (y - y0) * slope
    while (y < end) {
      const rowIndex = Math.floor(y)
      const nextY = Math.min(rowIndex + 1, end)
      const nextX = x0 + (nextY - y0) * slope
      const base = (rowIndex - top) * stride - left
      addRowAreas(areas, base, clamp(x, left, right), clamp(nextX, left, right), (nextY - y) * winding)
      y = nextY
      x = nextX
    }
  }
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}

/** One edge within one row: every pixel that it crosses takes its share of `height`, split at the mean x. */
function addRowAreas(areas: Float32Array, base: number, x0: number, x1: number, height: number): void {
  const low = Math.min(x0, x1)
  const high = Math.max(x0, x1)
  let column = Math.floor(low)
  if (high <= column + 1) {
    addShare(areas, base + column, height, (low + high) / 2 - column)
    return
  }
  const heightPerPx = height / (high - low)
  for (let x = low; x < high; column++) {
    const next = Math.min(column + 1, high)
    addShare(areas, base + column, (next - x) * heightPerPx, (x + next) / 2 - column)
    x = next
  }
}

function addShare(areas: Float32Array, at: number, height: number, outside: number): void {
  areas[at] = (areas[at] as number) + height * (1 - outside)
  areas[at + 1] = (areas[at + 1] as number) + height * outside
}
