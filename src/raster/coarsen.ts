import { type Bitmap, rowBytes } from './bitmap.ts'

/** Gives all pixels of a cell of an opaque bitmap, `cellPx` wide and high, their mean colour, in place. */
export function coarsen({ widthPx, heightPx, rows }: Bitmap, cellPx: number): void {
  const stride = rowBytes(widthPx, 3)
  const sums = new Uint32Array(stride + 3 * cellPx)
  for (let top = 0; top < heightPx; top += cellPx) {
    const bottom = Math.min(heightPx, top + cellPx)
    sums.fill(0)
    for (let y = top; y < bottom; y++)
      eachByte(widthPx, cellPx, (x, sum) => {
        sums[sum] = (sums[sum] as number) + (rows[y * stride + x] as number)
      })
    const line = rows.subarray(top * stride, (top + 1) * stride)
    eachByte(widthPx, cellPx, (x, sum) => {
      const columns = Math.min(cellPx, widthPx - Math.floor(sum / 3) * cellPx)
      line[x] = Math.round((sums[sum] as number) / (columns * (bottom - top)))
    })
    for (let y = top + 1; y < bottom; y++) rows.set(line, y * stride)
  }
}

/** Bytes of a row, behind that of its filter, each with the place of its cell and channel. */
function eachByte(widthPx: number, cellPx: number, visit: (x: number, sum: number) => void): void {
  for (let pixel = 0, x = 1; pixel < widthPx; pixel++) {
    const sum = 3 * Math.floor(pixel / cellPx)
    for (let channel = 0; channel < 3; channel++, x++) visit(x, sum + channel)
  }
}
