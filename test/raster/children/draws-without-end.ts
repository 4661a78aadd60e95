import { createPictureDrawer } from '../../../src/raster/picture-process/picture-drawer.ts'
import { endlessPicture } from '../support/endless-picture.ts'

/** Has its process draw what takes for ever, until somebody ends it. */
await createPictureDrawer().draw(endlessPicture, 'a')
