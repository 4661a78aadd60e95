import type { Repaint } from './encode-png.ts'
import { encodeWithin } from './encode-within.ts'
import { type PictureEncoding, pictureFormats } from './picture-formats.ts'
import type { BackedBitmap } from './pixel-canvas.ts'

/**
 * Encodes a bitmap. A JPEG or WebP that networks would not take has a lower quality. A PNG with a photograph in it (`repaint`)
 * becomes a palette where it is too large. Encoders are loaded with their first picture.
 */
export async function encodePicture(
  bitmap: BackedBitmap,
  encoding: PictureEncoding,
  repaint?: Repaint,
): Promise<Uint8Array<ArrayBuffer>> {
  const encode = await pictureFormats[encoding.format].loadEncoder()
  if (!('quality' in encoding)) return encode(bitmap, { quality: 100, repaint })
  return encodeWithin(qualitiesFrom(encoding.quality), ({ quality }) => encode(bitmap, { quality }))
}

/**
 * How large a JPEG or WebP is at a quality, beside the same one at 82: about, for pictures of every kind. Below 90 a JPEG
 * keeps one colour for four pixels.
 */
const sizes: readonly (readonly [quality: number, size: number])[] = [
  [100, 4.5],
  [95, 2.7],
  [92, 2],
  [89, 1.45],
  [86, 1.2],
  [82, 1],
  [78, 0.86],
  [72, 0.74],
  [65, 0.64],
  [55, 0.54],
  [45, 0.46],
  [35, 0.38],
  [25, 0.3],
  [15, 0.2],
  [8, 0.13],
  [1, 0.1],
]

/** The quality that is asked for, and lower ones. */
function qualitiesFrom(quality: number) {
  const above = sizes.findLast(([each]) => each >= quality)
  const lower = sizes.filter(([each]) => each < quality)
  return [[quality, above?.[1] ?? 1] as const, ...lower].map(([each, size]) => ({ quality: each, size }))
}
