import type { Bitmap } from './bitmap.ts'
import { encodePng } from './encode-png.ts'
import type { PictureEncoding } from './picture-encoding.ts'

/** Encodes a bitmap; one of few colours (`isFlat`) becomes a palette where it is a PNG. Encoders are loaded with their first picture. */
export async function encodePicture(
  bitmap: Bitmap,
  encoding: PictureEncoding,
  isFlat: boolean,
): Promise<Uint8Array<ArrayBuffer>> {
  switch (encoding.format) {
    case 'jpeg':
      return (await import('./encode-jpeg.ts')).encodeJpeg(bitmap, encoding.quality)
    case 'webp':
      return (await import('./encode-webp.ts')).encodeWebp(bitmap, encoding.quality)
    case 'png':
      return encodePng(bitmap, { palette: isFlat })
  }
}
