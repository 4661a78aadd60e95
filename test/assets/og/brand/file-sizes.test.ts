import { afterAll, expect, test } from 'bun:test'
import type { CardBrand } from '../../../../src/assets/og/brand/card-brand.ts'
import { readPicture } from '../../../../src/assets/og/brand/read-picture.ts'
import { createCardRenderer } from '../../../../src/assets/og/card-renderer.ts'
import { cardSizes, sizeNames } from '../../../../src/assets/og/card-sizes.ts'
import { encodePicture } from '../../../../src/raster/encode-picture.ts'
import { networkBytesMax } from '../../../../src/raster/encode-within.ts'
import { paintScene } from '../../../../src/raster/paint-scene.ts'
import { createPictureDrawer } from '../../../../src/raster/picture-process/picture-drawer.ts'
import { createTextEngine } from '../../../../src/text/text-engine.ts'
import { randomFrom } from '../../../support/random.ts'
import { encoders, pictureOf } from './support/example-pictures.ts'

const pictures = createPictureDrawer()
afterAll(() => pictures.close())
const cards = createCardRenderer(createTextEngine())

/** Busier than photographs are: half of each pixel is noise. */
const picture = (async () => {
  const random = randomFrom(3)
  const busy = pictureOf(900, 900, (x, y) => {
    const grain = random.below(90)
    return [60 + grain + (x >> 4), 40 + grain + (y >> 4), 130 + grain - (x >> 5)]
  })
  return readPicture(await encoders.jpeg(busy), { pictures, client: 'test' })
})()

test.each(sizeNames)(
  'a card of size %s over a busy picture is small enough for networks in every format',
  async (size) => {
    const brand: CardBrand = { key: 'busy@1', picture: { ...(await picture), focus: { x: 50, y: 50 } } }
    const params = { title: 'Words over a picture', theme: 'aurora', size } as const
    await cards.prepare(params, brand)
    const { scene } = cards.compose(params, brand)
    const bitmap = paintScene(scene, cardSizes[size].widthPx)
    for (const encoding of [
      { format: 'png' },
      { format: 'jpeg', quality: 95 },
      { format: 'webp', quality: 95 },
    ] as const) {
      const bytes = await encodePicture(bitmap, encoding, scene.flat, scene.background.picture && {})
      expect([encoding.format, Math.max(bytes.byteLength, networkBytesMax)]).toEqual([
        encoding.format,
        networkBytesMax,
      ])
    }
  },
  60_000,
)
