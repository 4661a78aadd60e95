import { choosePalette } from './choose-palette.ts'
import { type BackedBitmap, bringIn, countColors, numberColors } from './pixel-canvas.ts'

/** Pixels by numbers of colours. */
export interface IndexedRows {
  /** Three bytes a colour, at most 256 of them. */
  readonly colors: Uint8Array
  /** One byte for each of the first colours; none when all are opaque. */
  readonly alphas?: Uint8Array
  /** One byte a pixel, behind the filter byte of each row. */
  readonly rows: Uint8Array
}

/**
 * Reduces a bitmap to 256 colours where that does not show: exactly, or with rare colours (antialiased edges)
 * moved by a few steps, and all others by one at most; a backdrop keeps its colours. Undefined for photographs, and for
 * gradients of more colours. The rows are valid until the painter has another canvas.
 */
export function indexColors(bitmap: BackedBitmap): IndexedRows | undefined {
  const { backdrop } = bitmap
  bringIn(bitmap)
  const counted = countColors(backdrop !== undefined)
  const chosen = counted && choosePalette(counted, bitmap, backdrop?.colors)
  if (!chosen) return undefined
  const { palette, indexOf } = chosen
  const isOpaque = palette.every((color) => color >>> 24 === 255)
  return {
    colors: Uint8Array.from(
      palette.flatMap((color) => [(color >> 16) & 255, (color >> 8) & 255, color & 255]),
    ),
    alphas: isOpaque ? new Uint8Array(0) : Uint8Array.from(palette, (color) => color >>> 24),
    rows: numberColors(bitmap, indexOf),
  }
}
