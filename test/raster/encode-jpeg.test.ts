import { expect, test } from 'bun:test'
import sharp from 'sharp'
import { type Bitmap, rowBytes } from '../../src/raster/bitmap.ts'
import { encodeJpeg } from '../../src/raster/encode-jpeg.ts'
import { paintScene } from '../../src/raster/paint-scene.ts'
import { randomFrom } from '../support/random.ts'
import { sampleOf } from '../support/test-size.ts'
import { exampleCard } from './example-scenes.ts'

const themes = ['aurora', 'term', 'paper'] as const

/** How far a file is from the pixels, in dB: the higher, the nearer. */
async function nearness({ widthPx, heightPx, rows }: Bitmap, file: Uint8Array): Promise<number> {
  const decoded = await sharp(file, { failOn: 'warning' }).removeAlpha().raw().toBuffer()
  expect(decoded.length).toBe(widthPx * heightPx * 3)
  let squares = 0
  for (const [index, value] of decoded.entries()) {
    const row = Math.floor(index / (widthPx * 3))
    const at = row * rowBytes(widthPx, 3) + 1 + (index % (widthPx * 3))
    squares += (value - (rows[at] as number)) ** 2
  }
  return 10 * Math.log10((255 * 255 * decoded.length) / squares)
}

test.each(sampleOf([82, 40, 95], 3))(
  'cards at quality %i are JPEGs as near to their pixels as by sharp',
  async (quality) => {
    for (const theme of themes) {
      const bitmap = paintScene(exampleCard(`${theme}-b`).scene, 601)
      const [own, theirs] = [await encodeJpeg(bitmap, quality), await bySharp(bitmap, quality)]
      expect(await nearness(bitmap, own)).toBeGreaterThan((await nearness(bitmap, theirs)) - 2.5)
      expect(own.length).toBeLessThan(theirs.length * 1.25)
    }
  },
)

test('noise is a JPEG at every quality, though its file may be larger than its pixels', async () => {
  const random = randomFrom(5)
  for (const quality of [1, 82, 100])
    for (const [widthPx, heightPx] of [
      [33, 65],
      [300, 158],
    ] as const) {
      const rows = Uint8Array.from({ length: rowBytes(widthPx, 3) * heightPx }, () => random.below(2) * 255)
      const bitmap: Bitmap = { widthPx, heightPx, channels: 3, rows }
      const theirs = await nearness(bitmap, await bySharp(bitmap, Math.min(quality, 50)))
      expect(await nearness(bitmap, await encodeJpeg(bitmap, quality))).toBeGreaterThan(theirs - 1)
    }
})

function bySharp({ widthPx: width, heightPx: height, rows }: Bitmap, quality: number): Promise<Uint8Array> {
  const pixels = rows.filter((_, at) => at % rowBytes(width, 3) !== 0)
  const chromaSubsampling = quality < 90 ? '4:2:0' : '4:4:4'
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality, chromaSubsampling })
    .toBuffer()
}
