import { type Bitmap, rowBytes } from './bitmap.ts'
import { coarsen } from './coarsen.ts'
import { encodeIndexed } from './encode-png.ts'
import type { IndexedRows } from './pack-indexed.ts'
import { quantizeColors } from './quantize-colors.ts'
import { sampleBands } from './sample-bands.ts'

/** Sides of the background's pixels, and how many colours a palette may have: from what looks best to what is smallest. */
const steps: readonly (readonly [cellPx: number, colors: number])[] = [
  ...[1, 2, 3, 4, 6, 8].flatMap((cellPx) => [256, 128, 64].map((colors) => [cellPx, colors] as const)),
  ...[256, 128, 64, 32, 16, 8].map((colors) => [12, colors] as const),
]

/**
 * A PNG of an opaque bitmap with a photograph below its words, in the palette of most colours with which it is small enough.
 * Where 64 are too many, `repaint` paints it again over a background of larger pixels, whose text is as sharp as ever.
 */
export function encodePalettePng(
  bitmap: Bitmap,
  bytesMax: number,
  repaint: (cellPx: number) => Bitmap,
): Uint8Array<ArrayBuffer> {
  let painted = bitmap
  let paintedPx = 1
  let smallest: Uint8Array<ArrayBuffer> | undefined
  for (const [cellPx, colors] of steps.slice(firstStep(bitmap, bytesMax))) {
    if (cellPx !== paintedPx) painted = repaint(cellPx)
    paintedPx = cellPx
    smallest = encodeCells(painted, quantizeColors(painted, colors, cellPx), cellPx)
    if (smallest.byteLength <= bytesMax) break
  }
  return smallest ?? encodeIndexed(bitmap, quantizeColors(bitmap, 8))
}

/** Whole cells of every side. */
const bandRows = 48

/** The first step that some bands of rows promise to be small enough. Whether a side does is asked with fewest colours. */
function firstStep(bitmap: Bitmap, bytesMax: number): number {
  const bands = sampleBands(bitmap, bandRows)
  function isPromising([cellPx, colors]: (typeof steps)[number]): boolean {
    const sample = { ...bands, rows: bands.rows.slice() }
    if (cellPx > 1) coarsen(sample, cellPx)
    const png = encodeCells(sample, quantizeColors(sample, colors, cellPx), cellPx)
    return (png.byteLength * bitmap.heightPx) / bands.heightPx <= bytesMax
  }
  const fewest = steps.findIndex((step, at) => step[0] !== steps[at + 1]?.[0] && isPromising(step))
  if (fewest < 0) return steps.length - 1
  const first = steps.findIndex(([cellPx]) => cellPx === steps[fewest]?.[0])
  const found = steps.slice(first, fewest).findIndex(isPromising)
  return found < 0 ? fewest : first + found
}

/** Pixels of one cell are equal: rows are told as differences from the left where cells begin, else from above. */
function encodeCells(size: Bitmap, indexed: IndexedRows, cellPx: number): Uint8Array<ArrayBuffer> {
  if (cellPx === 1) return encodeIndexed(size, indexed)
  const stride = rowBytes(size.widthPx, 1)
  const { rows } = indexed
  for (let y = size.heightPx - 1; y >= 0; y--) {
    const isTop = y % cellPx === 0
    const beside = isTop ? 1 : stride
    const start = y * stride
    // From the end, because each byte is told by one before it.
    for (let at = start + stride - 1; at > start + (isTop ? 1 : 0); at--)
      rows[at] = (rows[at] as number) - (rows[at - beside] as number)
    rows[start] = isTop ? filterSub : filterUp
  }
  return encodeIndexed(size, indexed)
}

const filterSub = 1
const filterUp = 2
