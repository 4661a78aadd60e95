import { Buffer } from 'node:buffer'
import type { Rgb } from '../../lib/color.ts'
import type { PixelSize } from '../bitmap.ts'
import type { PixelFormatName } from '../picture-formats.ts'
import type { PictureType } from '../picture-headers.ts'

export type PictureJob = CallersPicture | ConvertedPixels

export type ConvertedPixels = LogoPixels | FacePixels | BackgroundPixels

/** Drawn `widthPx` by `heightPx`, times `zoom`. */
export interface CallersPicture extends PixelSize {
  readonly kind: 'picture'
  readonly href: string
  readonly zoom: number
}

/** A logo: see `encodeLogo`. As pixels it has no transparent margins and no side longer than `sidePxMax`. */
export interface LogoPixels extends EncodedPicture {
  readonly kind: 'logo'
  readonly sidePxMax: number
}

/** The middle square of a picture: see `encodeFace`. */
export interface FacePixels extends EncodedPicture {
  readonly kind: 'face'
  readonly sidePx: number
}

/** A picture that covers a background: see `encodeBackground`. */
export interface BackgroundPixels extends EncodedPicture {
  readonly kind: 'background'
  readonly sidePxMax: number
  readonly pixelsMax: number
  readonly quality: number
  /** A larger file is encoded again at a lower quality. */
  readonly bytesMax?: number
}

/** A file, and what its header says of it. An SVG is drawn in this size. */
export interface EncodedPicture extends PixelSize {
  readonly type: Extract<PixelFormatName, PictureType> | 'svg+xml'
  readonly base64: string
  /** 1 is upright, as in Exif. */
  readonly orientation: number
}

/** A message of a picture process. After the last three replies it ends itself. */
export interface PictureReply {
  readonly reply:
    | 'ready'
    | 'drawn'
    | 'unreadable'
    | 'overrun'
    | 'oversized'
    /** It took long while the machine had no time for it: nothing is known about the picture. */
    | 'stalled'
  readonly base64?: string
  /** The process has grown so much that a new one should follow it. */
  readonly isOutgrown?: boolean
}

/** The text of a `background` job's reply. */
export interface EncodedBackground extends PixelSize {
  readonly grid: PictureGrid
  readonly base64: string
}

/** Cells of equal size, row by row. */
export interface PictureGrid {
  readonly columns: number
  readonly rows: number
  /** WCAG relative luminance, 0 to 1. */
  readonly cells: readonly { readonly min: number; readonly max: number; readonly mean: Rgb }[]
}

const messageBytesMax = 8 * 2 ** 20

export function encodeMessage(message: PictureOrder | PictureReply): string {
  return `${JSON.stringify(message)}\n`
}

/** Calls back for each whole message. @throws RangeError for a message that is too long, SyntaxError for what is none. */
export function createMessageReader<Message>(onMessage: (message: Message) => void) {
  let pieces: Buffer[] = []
  let bytes = 0
  return (chunk: Buffer): void => {
    for (let from = 0; ; ) {
      const end = chunk.indexOf(10, from)
      const piece = chunk.subarray(from, end < 0 ? chunk.length : end)
      pieces.push(piece)
      bytes += piece.length
      if (bytes > messageBytesMax) throw new RangeError(`a message of more than ${messageBytesMax} bytes`)
      if (end < 0) return
      const message: Message = JSON.parse(Buffer.concat(pieces).toString())
      pieces = []
      bytes = 0
      from = end + 1
      onMessage(message)
    }
  }
}

export interface PictureBudget {
  readonly cpuMsMax: number
  /** Growth of the process allowed during one picture, in bytes. */
  readonly growthBytesMax: number
  /** For a process that gets no CPU time. A busy machine must reach `cpuMsMax` first, so that it refuses the same pictures. */
  readonly wallMsMax: number
}

/** Decoding, measuring and encoding 4 megapixels takes a tenth to a quarter of the CPU time on a quiet machine. */
const usual: PictureBudget = { cpuMsMax: 2_000, growthBytesMax: 64 * 2 ** 20, wallMsMax: 15_000 }

const budgets: Readonly<Record<PictureJob['kind'], PictureBudget>> = {
  picture: usual,
  logo: { ...usual, growthBytesMax: 112 * 2 ** 20 },
  face: { ...usual, growthBytesMax: 112 * 2 ** 20 },
  /** A progressive JPEG or a WebP of 24 megapixels takes 380 MiB, and 2 s on a quiet machine. */
  background: { cpuMsMax: 8_000, growthBytesMax: 448 * 2 ** 20, wallMsMax: 40_000 },
}

/** A job as its process is given it, with a limit of its own for the time in all where it has one. */
export type PictureOrder = PictureJob & { readonly wallMsMax?: number | undefined }

export function budgetOf({ kind, wallMsMax }: PictureOrder): PictureBudget {
  return { ...budgets[kind], ...(wallMsMax !== undefined && { wallMsMax }) }
}

/** Memory that a picture process may keep after all its jobs, in bytes, before it is replaced. A new one costs 40 ms. */
export const keptBytesMax = 24 * 2 ** 20

/** The process that draws callers’ pictures has this word on the command line of an executable. */
export const pictureProcessWord = 'draw-pictures'
