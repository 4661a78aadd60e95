import { readPicture } from '../../../../../src/assets/og/brand/read-upload.ts'
import type { PictureDrawer } from '../../../../../src/raster/picture-process/picture-drawer.ts'
import { RasterBusy } from '../../../../../src/raster/thread-pool.ts'

/** Reads a picture, again while the process for pictures is busy or slow to start, as it is where others want the machine. */
export async function readPictureInTurn(
  bytes: Uint8Array,
  pictures: PictureDrawer,
): Promise<Awaited<ReturnType<typeof readPicture>>> {
  for (;;) {
    try {
      return await readPicture(bytes, { pictures, client: 'test' })
    } catch (error) {
      if (!(error instanceof RasterBusy)) throw error
    }
  }
}
