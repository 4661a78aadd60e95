import { readGifHeader } from './gif-header.ts'
import { readJpegHeader } from './jpeg-header.ts'
import type { PictureHeader } from './picture-header.ts'
import { readPngHeader } from './png-header.ts'
import { readWebpHeader } from './webp-header.ts'

export type PictureType = keyof typeof readers

const readers = { png: readPngHeader, jpeg: readJpegHeader, gif: readGifHeader, webp: readWebpHeader }

export function isPictureType(type: string): type is PictureType {
  return Object.hasOwn(readers, type)
}

/** The most pixels that a picture may have, 4 megapixels, and the most that a decoder may go through for it. */
export const picturePxMax = 4_000_000
const pictureWorkPxMax = 4 * picturePxMax
const framesMax = 256

/** The size that the file declares; undefined if its headers cannot be read or contradict each other. */
export function readPictureHeader(type: PictureType, bytes: Uint8Array): PictureHeader | undefined {
  try {
    return readers[type](new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  } catch (error) {
    // A DataView throws when it is read beyond its end: the file is cut off.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The fault of a picture from a caller; undefined if decoding it takes little memory and time. */
export function checkPicture(type: PictureType, bytes: Uint8Array): string | undefined {
  const header = readPictureHeader(type, bytes)
  if (header === undefined) return `is not a ${type} picture, or its headers are damaged`
  const { widthPx, heightPx, frames, workPx } = header
  if (widthPx * heightPx > picturePxMax)
    return `is ${widthPx} by ${heightPx} pixels; at most ${picturePxMax / 1e6} megapixels are allowed`
  if (frames > framesMax) return `has ${frames} frames; at most ${framesMax} are allowed`
  if (workPx > pictureWorkPxMax) return 'has too many frames or passes for its size'
  return undefined
}
