import type { Rgb } from '../../../lib/color.ts'

/** A picture that covers the ground. */
export interface GroundPicture {
  /** The SHA-256 of `jpeg`, in hex. */
  readonly key: string
  readonly widthPx: number
  readonly heightPx: number
  /** Decoded, and encoded again by us. */
  readonly jpeg: Uint8Array<ArrayBuffer>
  /** What must stay visible where it is cropped: percent of width and height. */
  readonly focus: { readonly x: number; readonly y: number }
  /** What a scrim is computed from. */
  readonly grid: PictureGrid
}

/** Cells of equal size, row by row. */
interface PictureGrid {
  readonly columns: number
  readonly rows: number
  readonly cells: readonly PictureCell[]
}

interface PictureCell {
  /** Of the WCAG relative luminance, 0 to 1. */
  readonly min: number
  readonly max: number
  readonly mean: Rgb
}
