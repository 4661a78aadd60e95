import { type Bitmap, rowBytes } from './bitmap.ts'
import { encodeDifferences, encodeIndexed } from './encode-png.ts'
import { networkBytesMax } from './encode-within.ts'
import { quantizeColors } from './quantize-colors.ts'
import { zlibCompressFrequencies } from './zlib.ts'

/** How many colours a palette may have, and about how large its file is beside that of 256 colours. */
const palettes: readonly (readonly [colors: number, size: number])[] = [
  [128, 0.88],
  [64, 0.74],
  [32, 0.56],
  [16, 0.36],
  [8, 0.22],
]
/** Rows are compressed in bands of so many, of which every eighth is tried. */
const bandRows = 16
const bandStep = 8

/**
 * A PNG of an opaque bitmap with a photograph in it: every pixel where the file is then small enough for networks, else
 * the palette of most colours with which it is. Where even 8 colours are too many bytes, as in a very wide picture, it
 * has 256 and is larger.
 */
export function encodePhotoPng(bitmap: Bitmap): Uint8Array<ArrayBuffer> {
  const differences = subtractRows(bitmap)
  if (estimateBytes(bitmap, differences) < networkBytesMax) {
    const png = encodeDifferences(bitmap, differences)
    if (png.byteLength <= networkBytesMax) return png
  }
  const full = encodeIndexed(bitmap, quantizeColors(bitmap, 256))
  if (full.byteLength <= networkBytesMax) return full
  for (const [colors, size] of palettes) {
    // A tenth less than expected is still worth a try.
    if (full.byteLength * size * 0.9 > networkBytesMax) continue
    const png = encodeIndexed(bitmap, quantizeColors(bitmap, colors))
    if (png.byteLength <= networkBytesMax) return png
  }
  return full
}

/** What all pixels would take, by some of the rows. */
function estimateBytes({ widthPx, heightPx }: Bitmap, rows: Uint8Array): number {
  const stride = rowBytes(widthPx, 3)
  const step = bandRows * bandStep
  let bytes = 0
  let tried = 0
  for (let y = 0; y < heightPx; y += step) {
    const band = rows.subarray(y * stride, Math.min(heightPx, y + bandRows) * stride)
    bytes += zlibCompressFrequencies(band).byteLength
    tried += band.byteLength
  }
  return (bytes * stride * heightPx) / tried
}

/** Each row as what it differs by from the one above: filter 2, "Up". */
function subtractRows({ widthPx, heightPx, rows }: Bitmap): Uint8Array {
  const stride = rowBytes(widthPx, 3)
  const differences = rows.slice()
  for (let start = (heightPx - 1) * stride; start > 0; start -= stride) {
    differences[start] = filterUp
    for (let at = start + 1; at < start + stride; at++)
      differences[at] = (rows[at] ?? 0) - (rows[at - stride] ?? 0)
  }
  return differences
}

const filterUp = 2
