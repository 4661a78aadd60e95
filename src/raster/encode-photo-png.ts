import type { Bitmap } from './bitmap.ts'
import { encodePalettePng } from './encode-palette-png.ts'
import { encodePhotograph } from './encode-png.ts'
import { networkBytesMax } from './encode-within.ts'

/** Paints a card with a photograph again over a background whose pixels are cells of so many. */
export type Repaint = (cellPx: number) => Bitmap

/** A PNG has so many bytes beside its data. */
const chunkBytes = 57

/**
 * A PNG of an opaque bitmap with a photograph in it: every pixel where the file is then small enough for networks, else
 * the palette of most colours with which it is, at last over a coarser background.
 */
export function encodePhotoPng(bitmap: Bitmap, repaint: Repaint): Uint8Array<ArrayBuffer> {
  return (
    encodePhotograph(bitmap, networkBytesMax - chunkBytes) ??
    encodePalettePng(bitmap, networkBytesMax, repaint)
  )
}
