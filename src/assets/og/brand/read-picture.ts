import { hash } from 'node:crypto'
import { formatLabels } from '../../../raster/picture-formats.ts'
import { decodeBackgroundReply } from '../../../raster/picture-process/background-reply.ts'
import { PictureRefused } from '../../../raster/picture-process/picture-drawer.ts'
import type { BrandPicture } from './brand-picture.ts'
import { uploadedPicture } from './picture-rules.ts'
import type { LogoDeps } from './read-logo.ts'
import { pixelTypeOf, readEncodedPicture } from './read-pixels.ts'
import { UploadRefused } from './upload-refused.ts'

/** Large enough for cards of the usual widths. Each card decodes the picture; a wider card enlarges it. */
const size = { sidePxMax: 2000, pixelsMax: 2_250_000 } as const
const quality = 85

/**
 * A picture for a background, upright, made small enough, encoded again and measured: nothing of the file is passed on.
 * @throws UploadRefused with what is wrong, as the end of a sentence.
 * @throws PictureLimited, RasterBusy as `PictureDrawer` does.
 */
export async function readPicture(
  bytes: Uint8Array,
  { pictures, client }: LogoDeps,
  bytesMax = uploadedPicture.bytesMax,
): Promise<Omit<BrandPicture, 'focus'>> {
  if (bytes.byteLength === 0) throw new UploadRefused('is empty')
  if (bytes.byteLength > bytesMax) throw new UploadRefused(`must have at most ${bytesMax} bytes`)
  const type = pixelTypeOf(bytes)
  if (type === undefined || !uploadedPicture.types.includes(type))
    throw new UploadRefused(`must be ${formatLabels(uploadedPicture.types)}`)
  const picture = readEncodedPicture(type, bytes)
  const reply = await pictures
    .convert({ kind: 'background', ...picture, ...size, quality }, client)
    .catch((error) => {
      throw error instanceof PictureRefused ? new UploadRefused(error.message, { cause: error }) : error
    })
  const background = decodeBackgroundReply(reply)
  return { ...background, key: hash('sha256', background.jpeg) }
}
