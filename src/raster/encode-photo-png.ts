import { type Bitmap, rowBytes } from './bitmap.ts'
import { encodeIndexed, encodePng } from './encode-png.ts'
import { networkBytesMax } from './encode-within.ts'
import { quantizeColors } from './quantize-colors.ts'
import { zlibCompress } from './zlib.ts'

/** Below 64 colours a photograph looks like a poster. */
const paletteSizes = [256, 128, 64] as const
/** Rows are compressed in bands of so many, of which every eighth is tried. */
const bandRows = 16
const bandStep = 8

/**
 * A PNG of an opaque bitmap with a photograph in it: every pixel where the file is then small enough for networks, else
 * the palette of most colours with which it is. Where even 64 colours are too many bytes, as in a very wide picture, it
 * has 256 and is larger.
 */
export function encodePhotoPng(bitmap: Bitmap): Uint8Array<ArrayBuffer> {
  if (estimateBytes(bitmap) < networkBytesMax) {
    const png = encodePng(bitmap)
    if (png.byteLength <= networkBytesMax) return png
  }
  let first: Uint8Array<ArrayBuffer> | undefined
  for (const size of paletteSizes) {
    const png = encodeIndexed(bitmap, quantizeColors(bitmap, size))
    if (png.byteLength <= networkBytesMax) return png
    first ??= png
    // Half of the colours save a tenth, a quarter of them a third.
    if (png.byteLength > 1.7 * networkBytesMax) break
  }
  return first ?? encodePng(bitmap)
}

/** What all pixels would take, by some of the rows. */
function estimateBytes({ widthPx, heightPx, rows }: Bitmap): number {
  const stride = rowBytes(widthPx, 3)
  const step = bandRows * bandStep
  let bytes = 0
  let tried = 0
  for (let y = 0; y < heightPx; y += step) {
    const band = rows.subarray(y * stride, Math.min(heightPx, y + bandRows) * stride)
    bytes += zlibCompress(band, 1).byteLength
    tried += band.byteLength
  }
  return (bytes * stride * heightPx) / tried
}
