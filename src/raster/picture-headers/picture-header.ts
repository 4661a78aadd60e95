/** What the headers of a picture promise, read without decoding anything. */
export interface PictureHeader {
  readonly widthPx: number
  readonly heightPx: number
  /** 1 for a still picture. */
  readonly frames: number
  /** Pixels that a decoder goes through for everything that the file has: all frames, every pass, deep colours twice. */
  readonly workPx: number
}
