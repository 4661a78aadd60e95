import type { LossyFormatName, PixelFormatName } from './picture-formats.ts'

/** How pixels become a file. `quality` is from 1 to 100; the other formats keep every pixel. */
export type PictureEncoding =
  | { readonly format: Exclude<PixelFormatName, LossyFormatName> }
  | { readonly format: LossyFormatName; readonly quality: number }
