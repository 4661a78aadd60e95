import type { Repaint } from './encode-photo-png.ts'
import { encodeWithin, networkBytesMax } from './encode-within.ts'
import type { PictureEncoding } from './picture-encoding.ts'
import { pictureFormats } from './picture-formats.ts'
import type { BackedBitmap } from './pixel-canvas.ts'
import { sampleBands } from './sample-bands.ts'

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
  return 'quality' in encoding
    ? encodeLossy(bitmap, (tried, quality) => encode(tried, { quality }), encoding.quality)
    : encode(bitmap, { quality: 100, repaint })
}

/**
 * Only a bitmap of more pixels may become a file that is far too large, so that a sample of it is worth its time; not one
 * with a backdrop, which is a palette.
 */
const sampledPixelsMin = 2e6
/** Rows per chroma block in JPEG and WebP. */
const blockRows = 16

function encodeLossy(
  bitmap: BackedBitmap,
  encode: (bitmap: BackedBitmap, quality: number) => Promise<Uint8Array<ArrayBuffer>>,
  quality: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const isSampled = !bitmap.backdrop && bitmap.widthPx * bitmap.heightPx > sampledPixelsMin
  return encodeWithin(
    (tried) => encode(bitmap, tried),
    quality,
    networkBytesMax,
    isSampled ? guessBytes : undefined,
  )

  async function guessBytes(tried: number): Promise<number> {
    const bands = sampleBands(bitmap, blockRows)
    const sample = await encode(bands, tried)
    return (sample.byteLength * bitmap.heightPx) / bands.heightPx
  }
}
