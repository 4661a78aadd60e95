import type { Bitmap } from './bitmap.ts'
import { encodePhotoPng, type PhotoGround } from './encode-photo-png.ts'
import { encodePng } from './encode-png.ts'
import { encodeWithin, networkBytesMax } from './encode-within.ts'
import type { PictureEncoding } from './picture-encoding.ts'
import { sampleBands } from './sample-bands.ts'

/**
 * Encodes a bitmap. A JPEG or WebP that networks would not take has a lower quality. A PNG of few colours (`isFlat`)
 * becomes a palette, and one with a photograph in it becomes one where it is too large. Encoders are loaded with their
 * first picture.
 */
export async function encodePicture(
  bitmap: Bitmap,
  encoding: PictureEncoding,
  isFlat: boolean,
  photo?: PhotoGround,
): Promise<Uint8Array<ArrayBuffer>> {
  switch (encoding.format) {
    case 'jpeg': {
      const { encodeJpeg } = await import('./encode-jpeg.ts')
      return encodeLossy(bitmap, encodeJpeg, encoding.quality)
    }
    case 'webp': {
      const { encodeWebp } = await import('./encode-webp.ts')
      return encodeLossy(bitmap, encodeWebp, encoding.quality)
    }
    case 'png':
      return photo ? encodePhotoPng(bitmap, photo) : encodePng(bitmap, { palette: isFlat })
  }
}

/** Only a bitmap of more pixels may become a file that is far too large, so that a sample of it is worth its time. */
const sampledPixelsMin = 2e6
/** Those of a JPEG's blocks of colour, and of WebP's. */
const blockRows = 16

function encodeLossy(
  bitmap: Bitmap,
  encode: (bitmap: Bitmap, quality: number) => Promise<Uint8Array<ArrayBuffer>>,
  quality: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const isSampled = bitmap.widthPx * bitmap.heightPx > sampledPixelsMin
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
