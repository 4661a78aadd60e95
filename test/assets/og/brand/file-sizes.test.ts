import { afterAll, expect, test } from 'bun:test'
import sharp from 'sharp'
import type { CardBrand } from '../../../../src/assets/og/brand/card-brand.ts'
import { createCardRenderer } from '../../../../src/assets/og/card-renderer.ts'
import { cardSizes, sizeNames } from '../../../../src/assets/og/theme.ts'
import { dropLargeBackground } from '../../../../src/raster/background.ts'
import { takeDrawnBytes } from '../../../../src/raster/draw-svg.ts'
import { networkBytesMax } from '../../../../src/raster/encode-within.ts'
import { paintScene, repainting } from '../../../../src/raster/paint-scene.ts'
import { encodePicture } from '../../../../src/raster/picture-formats.ts'
import { createPictureDrawer } from '../../../../src/raster/picture-process/picture-drawer.ts'
import { createTextEngine } from '../../../../src/text/text-engine.ts'
import { randomFrom } from '../../../support/random.ts'
import { encoders, pictureOf, readPictureInTurn } from './support/example-files.ts'

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
  return readPictureInTurn(await encoders.jpeg(busy), pictures)
})()

test.each(sizeNames)(
  'a card of size %s over a busy picture is small enough for networks in every format',
  async (size) => {
    const brand: CardBrand = { key: 'busy@1', picture: { ...(await picture), focus: { x: 50, y: 50 } } }
    const params = { title: 'Words over a picture', theme: 'aurora', size } as const
    const { scene } = await cards.composed({ params, brand })
    const bitmap = paintScene(scene, cardSizes[size].widthPx)
    for (const encoding of [
      { format: 'png' },
      { format: 'jpeg', quality: 95 },
      { format: 'webp', quality: 95 },
    ] as const) {
      const bytes = await encodePicture(bitmap, encoding, repainting(scene, bitmap.widthPx))
      expect([encoding.format, Math.max(bytes.byteLength, networkBytesMax)]).toEqual([
        encoding.format,
        networkBytesMax,
      ])
    }
  },
)

test.each([
  ['og', 2400],
  ['pin', 2400],
  ['square', 1700],
] as const)(
  'a PNG of size %s over noise is small enough for networks %i pixels wide, and its words are sharp',
  async (size, widthPx) => {
    const brand: CardBrand = { key: 'noise@1', picture: { ...(await noise), focus: { x: 50, y: 50 } } }
    const params = { title: 'Words over noise', theme: 'aurora', scheme: 'dark', size } as const
    const { scene } = await cards.composed({ params, brand })
    takeDrawnBytes()
    const bitmap = paintScene(scene, widthPx)
    const whites = countWhite(bitmap.rows)
    const photo = repainting(scene, widthPx)
    const png = await encodePicture(bitmap, { format: 'png' }, photo)
    expect(png.byteLength).toBeLessThanOrEqual(networkBytesMax)
    expect(png.byteLength).toBeGreaterThan(networkBytesMax * 0.4)
    // Drawn once for all sides of the background's pixels, and not kept for longer than that.
    expect(takeDrawnBytes()).toBe(widthPx * bitmap.heightPx * 4)
    dropLargeBackground()
    paintScene(scene, widthPx)
    expect(takeDrawnBytes()).toBe(widthPx * bitmap.heightPx * 4)
    const { data } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    expect(Math.abs(countWhite(data) / whites - 1)).toBeLessThan(0.1)
  },
)

/** Nothing of it can be left out: each pixel has three random bytes. */
const noise = (async () => {
  const random = randomFrom(4)
  const grain = pictureOf(600, 600, () => [random.below(256), random.below(256), random.below(256)])
  return readPictureInTurn(await encoders.jpeg(grain), pictures)
})()

/** Bytes that are as light as letters only are: the scrim darkens everything else. */
function countWhite(bytes: Uint8Array): number {
  let count = 0
  for (const byte of bytes) if (byte > 235) count++
  return count
}
