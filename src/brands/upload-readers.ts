import { readLogo, readPicture } from '../assets/og/brand/read-upload.ts'
import { UploadRefused, uploadedLogo } from '../assets/og/brand/upload-rules.ts'
import {
  type PictureDrawer,
  PictureLimited,
  PictureTooLong,
} from '../raster/picture-process/picture-drawer.ts'
import { RasterBusy } from '../raster/pool.ts'
import { FontRefused } from '../text/brand-fonts/font-refused.ts'
import { FontNotChecked, readFont } from '../text/brand-fonts/read-font.ts'
import type { UploadReaders } from './read-uploads.ts'

/** Makes uploads safe before anything else sees them. */
export function createUploadReaders(pictures: Pick<PictureDrawer, 'convert'>): UploadReaders {
  const deps = { pictures, client: 'operator' }
  return {
    logo: (bytes) => readLogo(bytes, uploadedLogo, deps).catch(refusalOf),
    font: (bytes) => readFont(bytes).catch(refusalOf),
    picture: (bytes) => readPicture(bytes, deps).catch(refusalOf),
  }
}

const busy = { refused: 'could not be checked now, because the server is busy: save it again' }

function refusalOf(error: unknown) {
  if (error instanceof FontRefused || error instanceof UploadRefused) return { refused: error.message }
  if (error instanceof PictureTooLong) return { refused: 'takes too long to draw' }
  const isBusy =
    error instanceof FontNotChecked || error instanceof RasterBusy || error instanceof PictureLimited
  if (isBusy) return busy
  throw error
}
