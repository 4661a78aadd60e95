import type { Bitmap } from './bitmap.ts'
import { choosePalette } from './choose-palette.ts'
import { countColors } from './count-colors.ts'
import { indexRows } from './index-rows.ts'
import type { Backdrop, BackedBitmap } from './pixel-canvas.ts'

/**
 * Reduces a bitmap to 256 colours where that does not show: exactly, or with rare colours (antialiased edges)
 * moved by a few steps, and all others by one at most; a backdrop keeps its colours. Undefined for photographs, and for
 * gradients of more colours. Returns three bytes a colour, one byte an alpha (none when all are opaque), and rows of one
 * byte a pixel behind the filter byte, which are valid until the next call.
 */
export function indexColors(bitmap: BackedBitmap) {
  const indexed = bitmap.backdrop ? indexUncovered(bitmap, bitmap.backdrop) : indexAll(bitmap)
  if (!indexed) return undefined
  const { palette, rows } = indexed
  const isOpaque = palette.every((color) => color >>> 24 === 255)
  return {
    colors: Uint8Array.from(
      palette.flatMap((color) => [(color >> 16) & 255, (color >> 8) & 255, color & 255]),
    ),
    alphas: isOpaque ? new Uint8Array(0) : Uint8Array.from(palette, (color) => color >>> 24),
    rows,
  }
}

function indexAll(bitmap: Bitmap) {
  const counted = countColors(bitmap)
  const chosen = counted && choosePalette(counted, bitmap)
  return chosen && { palette: chosen.palette, rows: indexRows(bitmap, counted, chosen.indexOf) }
}

function indexUncovered(bitmap: Bitmap, backdrop: Backdrop) {
  const counted = backdrop.countUncovered()
  const chosen = counted && choosePalette(counted, bitmap, backdrop.colors)
  return chosen && { palette: chosen.palette, rows: backdrop.numberUncovered(chosen.indexOf) }
}
