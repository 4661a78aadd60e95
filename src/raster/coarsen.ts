import { type Bitmap, rowBytes } from './bitmap.ts'

/** Gives all pixels of a cell of an opaque bitmap, `cellPx` wide and high, their mean colour, in place. */
export function coarsen({ widthPx, heightPx, rows }: Bitmap, cellPx: number): void {
  const stride = rowBytes(widthPx, 3)
  const sums = new Uint32Array(3 * Math.ceil(widthPx / cellPx))
  for (let top = 0; top < heightPx; top += cellPx) {
    const bottom = Math.min(heightPx, top + cellPx)
    sums.fill(0)
    for (let y = top; y < bottom; y++) addRow(rows, y * stride + 1, widthPx, cellPx, sums)
    const start = top * stride
    fillRow(rows, start + 1, widthPx, cellPx, sums, bottom - top)
    for (let y = top + 1; y < bottom; y++) rows.copyWithin(y * stride, start, start + stride)
  }
}

function addRow(rows: Uint8Array, start: number, widthPx: number, cellPx: number, sums: Uint32Array): void {
  for (let x = 0, at = start, sum = 0; x < widthPx; sum += 3) {
    const end = Math.min(widthPx, x + cellPx)
    let [red, green, blue] = [0, 0, 0]
    for (; x < end; x++, at += 3) {
      red += rows[at] as number
      green += rows[at + 1] as number
      blue += rows[at + 2] as number
    }
    sums[sum] = (sums[sum] as number) + red
    sums[sum + 1] = (sums[sum + 1] as number) + green
    sums[sum + 2] = (sums[sum + 2] as number) + blue
  }
}

function fillRow(
  rows: Uint8Array,
  start: number,
  widthPx: number,
  cellPx: number,
  sums: Uint32Array,
  cellRows: number,
): void {
  for (let x = 0, at = start, sum = 0; x < widthPx; sum += 3) {
    const end = Math.min(widthPx, x + cellPx)
    const pixels = (end - x) * cellRows
    const red = Math.round((sums[sum] as number) / pixels)
    const green = Math.round((sums[sum + 1] as number) / pixels)
    const blue = Math.round((sums[sum + 2] as number) / pixels)
    for (; x < end; x++, at += 3) {
      rows[at] = red
      rows[at + 1] = green
      rows[at + 2] = blue
    }
  }
}
