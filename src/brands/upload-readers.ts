import { uploadedLogo } from '../assets/og/brand/logo-rules.ts'
import { UploadRefused } from '../assets/og/brand/upload-refused.ts'
import { type PictureDrawer, PictureLimited } from '../raster/picture-process/picture-drawer.ts'
import { RasterBusy } from '../raster/pool.ts'
import { FontRefused } from '../text/brand-fonts/font-refused.ts'
import { FontNotChecked, readFont } from '../text/brand-fonts/read-font.ts'
import type { UploadReaders } from './read-uploads.ts'

/**
 * Makes uploads safe before anything else sees them. The readers of logos and pictures are loaded with the first one.
 */
export function createUploadReaders(pictures: Pick<PictureDrawer, 'convert'>): UploadReaders {
  const deps = { pictures, client: 'operator' }
  return {
    logo: async (bytes) => {
      const { readLogo } = await import('../assets/og/brand/read-logo.ts')
      return readLogo(bytes, uploadedLogo, deps).catch(refusalOf)
    },
    font: (bytes) => readFont(bytes).catch(refusalOf),
    picture: async (bytes) => {
      const { readPicture } = await import('../assets/og/brand/read-picture.ts')
      return readPicture(bytes, deps).catch(refusalOf)
    },
  }
}

const busy = { refused: 'could not be checked now, because the server is busy: save it again' }

function refusalOf(error: unknown) {
  if (error instanceof FontRefused || error instanceof UploadRefused) return { refused: error.message }
  const isBusy =
    error instanceof FontNotChecked || error instanceof RasterBusy || error instanceof PictureLimited
  if (isBusy) return busy
  throw error
}
