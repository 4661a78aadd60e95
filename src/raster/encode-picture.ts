import type { Bitmap } from './bitmap.ts'
import { encodePhotoPng, type PhotoGround } from './encode-photo-png.ts'
import { encodePng } from './encode-png.ts'
import { encodeWithin } from './encode-within.ts'
import type { PictureEncoding } from './picture-encoding.ts'

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
      return encodeWithin((quality) => encodeJpeg(bitmap, quality), encoding.quality)
    }
    case 'webp': {
      const { encodeWebp } = await import('./encode-webp.ts')
      return encodeWithin((quality) => encodeWebp(bitmap, quality), encoding.quality)
    }
    case 'png':
      return photo ? encodePhotoPng(bitmap, photo) : encodePng(bitmap, { palette: isFlat })
  }
}
