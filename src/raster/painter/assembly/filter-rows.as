import { channels, heightPx, rows, widthPx } from './canvas'
import { freeBlocks, takeBlock } from './memory'

/** PNG's filter "Paeth". */
const filterNumber: u8 = 4

/** Filters the rows of an opaque canvas, and returns the address of the result. */
export function filterRows(): usize {
  freeBlocks()
  const stride = <usize>(widthPx * channels + 1)
  const above = takeBlock(stride + 16)
  memory.fill(above, 0, stride)
  const filtered = takeBlock(stride * <usize>heightPx + 16)
  let row = rows
  for (let y = 0; y < heightPx; y++, row += stride)
    filterRow(row, y === 0 ? above : row - stride, stride, filtered + stride * <usize>y)
  return filtered
}

/**
 * Writes what the bytes of a row differ by from the one of three neighbours, on the left, above and between, that is nearest
 * to what all three promise: three bytes a pixel, behind the byte for the filter.
 */
function filterRow(row: usize, above: usize, stride: usize, to: usize): void {
  // The first pixel has one neighbour.
  for (let x: usize = 1; x < 4; x++) store<u8>(to + x, load<u8>(row + x) - load<u8>(above + x))
  for (let x: usize = 4; x < stride; x += 16) {
    const promised = nearest(v128.load(row + x - 3), v128.load(above + x), v128.load(above + x - 3))
    v128.store(to + x, i8x16.sub(v128.load(row + x), promised))
  }
  store<u8>(to, filterNumber)
}

// @ts-ignore: decorator
@inline
function nearest(left: v128, up: v128, corner: v128): v128 {
  const fromLeft = distance(up, corner)
  const fromUp = distance(left, corner)
  // Steps in one direction add up; a sum beyond a byte is further than either anyway.
  const isOneWay = v128.not(v128.xor(i8x16.ge_u(up, corner), i8x16.ge_u(left, corner)))
  const fromCorner = v128.bitselect(i8x16.add_sat_u(fromLeft, fromUp), distance(fromLeft, fromUp), isOneWay)
  const upOrCorner = v128.bitselect(up, corner, i8x16.le_u(fromUp, fromCorner))
  const isLeft = v128.and(i8x16.le_u(fromLeft, fromUp), i8x16.le_u(fromLeft, fromCorner))
  return v128.bitselect(left, upOrCorner, isLeft)
}

// @ts-ignore: decorator
@inline
function distance(one: v128, other: v128): v128 {
  return i8x16.sub(i8x16.max_u(one, other), i8x16.min_u(one, other))
}
