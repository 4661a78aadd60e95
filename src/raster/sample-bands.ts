import { Buffer } from 'node:buffer'
import { type Bitmap, rowBytes } from './bitmap.ts'

const bandStep = 8

/**
 * An eighth of the rows of an opaque bitmap, in bands of so many from its head to its foot: its file has about as many bytes
 * a row as that of all of them.
 */
export function sampleBands({ widthPx, heightPx, rows }: Bitmap, bandRows: number): Bitmap {
  const stride = rowBytes(widthPx, 3)
  const starts: number[] = []
  for (let y = 0; y === 0 || y + bandRows <= heightPx; y += bandRows * bandStep) starts.push(y)
  const bands = Buffer.concat(starts.map((y) => rows.subarray(y * stride, (y + bandRows) * stride)))
  return { widthPx, heightPx: bands.length / stride, channels: 3, rows: new Uint8Array(bands) }
}
