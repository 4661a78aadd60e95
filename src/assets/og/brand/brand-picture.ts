import type { PictureGrid } from '../../../raster/picture-process/picture-messages.ts'

/** A picture that covers the background. */
export interface BrandPicture {
  /** The SHA-256 of `jpeg`, in hex. */
  readonly key: string
  readonly widthPx: number
  readonly heightPx: number
  /** Decoded, and encoded again by us. */
  readonly jpeg: Uint8Array<ArrayBuffer>
  /** The focal point, which stays visible when the picture is cropped, in percent of width and height. */
  readonly focus: { readonly x: number; readonly y: number }
  /** Luminances from which the scrim is computed. */
  readonly grid: PictureGrid
}
