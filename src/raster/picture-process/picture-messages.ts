import type { PixelFormatName } from '../picture-formats.ts'
import type { PictureType } from '../picture-headers/check-picture.ts'

/** The job of a picture process: a caller's picture, or an SVG of ours around one, which needs no budget. */
export type PictureJob =
  | CallersPicture
  | LogoPixels
  | BackgroundPixels
  | { readonly kind: 'drawing'; readonly svg: string }

/** Drawn `widthPx` by `heightPx`, times `zoom`. */
export interface CallersPicture {
  readonly kind: 'picture'
  /** A `data:` URL. */
  readonly href: string
  readonly widthPx: number
  readonly heightPx: number
  readonly zoom: number
}

/** A logo: see `encodeLogo`. As pixels it has no transparent margins and no side longer than `sidePxMax`. */
export interface LogoPixels extends EncodedPicture {
  readonly kind: 'logo'
  readonly sidePxMax: number
}

/** A picture that covers a background: see `encodeBackground`. */
export interface BackgroundPixels extends EncodedPicture {
  readonly kind: 'background'
  readonly sidePxMax: number
  readonly pixelsMax: number
  readonly quality: number
}

/** A file, and what its header says of it. */
export interface EncodedPicture {
  readonly type: Extract<PixelFormatName, PictureType> | 'svg+xml'
  readonly base64: string
  /** An SVG is drawn in this size. */
  readonly widthPx: number
  readonly heightPx: number
  /** Orientation as in Exif: 1 is upright. */
  readonly orientation: number
}

/** Replies of a picture process. After the last three it ends itself. */
export const pictureReply = {
  ready: 0,
  /** The content is what was drawn. */
  drawn: 1,
  /** It cannot be decoded, or shows nothing. */
  unreadable: 2,
  /** Drawing it takes more CPU time than is allowed. */
  overrun: 3,
  /** Drawing it takes more memory than is allowed. */
  oversized: 5,
  /** It took long while the machine had no time for it: nothing is known about the picture. */
  stalled: 4,
} as const

/** Added to a reply by a process that has grown so much that a new one should follow it. */
export const outgrown = 0x80

/** The longest frame in either direction, in bytes. */
export const pictureFrameBytesMax = 8 * 2 ** 20

/** Limits of one job. */
export interface PictureBudget {
  /** CPU time of all threads of the process. */
  readonly cpuMsMax: number
  /** Growth of the process allowed during one picture, in bytes. */
  readonly growthBytesMax: number
  /**
   * The last line, for a process that gets no CPU time: it says nothing about the picture. A busy machine has to reach
   * `cpuMsMax` before it, so that a picture that is too dear is refused there as everywhere.
   */
  readonly wallMsMax: number
}

/** Decoding, measuring and encoding 4 megapixels takes a tenth to a quarter of the CPU time on a quiet machine. */
const drawingBudget: PictureBudget = {
  cpuMsMax: 2_000,
  growthBytesMax: 64 * 2 ** 20,
  wallMsMax: 15_000,
}

const logoBudget: PictureBudget = { ...drawingBudget, growthBytesMax: 112 * 2 ** 20 }

/** A background comes from an operator, and is as large as pictures may be. */
const backgroundBudget: PictureBudget = {
  cpuMsMax: 4_000,
  growthBytesMax: 256 * 2 ** 20,
  wallMsMax: 40_000,
}

/** A job as its process is given it, with a limit of its own for the time in all where it has one. */
export type PictureOrder = PictureJob & { readonly wallMsMax?: number | undefined }

export function budgetOf({ kind, wallMsMax }: PictureOrder): PictureBudget {
  const others = kind === 'background' ? backgroundBudget : drawingBudget
  const budget = kind === 'logo' ? logoBudget : others
  return wallMsMax === undefined ? budget : { ...budget, wallMsMax }
}

/**
 * Memory that a picture process may keep after all its jobs, in bytes, before it is replaced. A new one costs 40 ms.
 */
export const keptBytesMax = 24 * 2 ** 20

/** The word on the command line of an executable that makes it the process that draws callers' pictures. */
export const pictureProcessWord = 'draw-pictures'
