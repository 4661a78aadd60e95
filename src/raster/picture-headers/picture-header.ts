/** The contents of a picture's headers, read without decoding anything. */
export interface PictureHeader {
  readonly widthPx: number
  readonly heightPx: number
  /** 1 for a still picture. */
  readonly frames: number
  /** Pixels that a decoder goes through for everything that the file has: all frames, every pass, deep colours twice. */
  readonly workPx: number
  /** Where the picture ends in the file; undefined where its end is missing. */
  readonly endsAt?: number | undefined
  /** Where the Exif data begin, at their byte order, where there are any. */
  readonly exifAt?: number | undefined
}
