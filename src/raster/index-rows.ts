import { type Bitmap, rowBytes } from './bitmap.ts'
import type { CountedBitmap } from './count-colors.ts'
import { createScratch } from './scratch.ts'

const indices = createScratch()

/** One byte a pixel behind the filter byte of each row: `indexOf` the slot of its colour. Valid until the next call. */
export function indexRows(
  { widthPx, heightPx }: Bitmap,
  { slots, repeats }: CountedBitmap,
  indexOf: ArrayLike<number>,
): Uint8Array<ArrayBuffer> {
  const stride = rowBytes(widthPx, 1)
  const rows = indices(stride * heightPx)
  for (let y = 0; y < heightPx; y++) {
    const start = y * stride
    if (repeats[y] === 1) {
      rows.copyWithin(start, start - stride, start)
      continue
    }
    rows[start] = 0
    for (let x = 0, from = y * widthPx, to = start + 1; x < widthPx; x++)
      rows[to++] = indexOf[slots[from++] as number] as number
  }
  return rows
}
