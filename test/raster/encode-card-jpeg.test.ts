import { describe, expect, test } from 'bun:test'
import sharp from 'sharp'
import { type Bitmap, rowBytes } from '../../src/raster/bitmap.ts'
import { encodeCardJpeg } from '../../src/raster/encode-card-jpeg.ts'
import { encodeJpeg } from '../../src/raster/encode-jpeg.ts'
import { paintScene } from '../../src/raster/paint-scene.ts'
import type { BackedBitmap } from '../../src/raster/pixel-canvas.ts'
import type { Scene } from '../../src/raster/scene.ts'
import { randomFrom } from '../support/random.ts'
import { exampleCard } from './example-scenes.ts'

const themes = ['aurora', 'term', 'paper'] as const

function painted(scene: Scene, widthPx: number): BackedBitmap {
  const bitmap = paintScene(scene, widthPx, { marksTouched: true })
  return { ...bitmap, rows: bitmap.rows.slice() }
}

/** Drops what the bitmap says about its background, so that nothing can be reused. */
function alone({ widthPx, heightPx, channels, rows }: Bitmap): Bitmap {
  return { widthPx, heightPx, channels, rows }
}

/** How far a file is from the pixels, in dB: the higher, the nearer. */
async function nearness({ widthPx, heightPx, rows }: Bitmap, file: Uint8Array): Promise<number> {
  const decoded = await sharp(file).removeAlpha().raw().toBuffer()
  expect(decoded.length).toBe(widthPx * heightPx * 3)
  let squares = 0
  for (const [index, value] of decoded.entries()) {
    const row = Math.floor(index / (widthPx * 3))
    const at = row * rowBytes(widthPx, 3) + 1 + (index % (widthPx * 3))
    squares += (value - (rows[at] as number)) ** 2
  }
  return 10 * Math.log10((255 * 255 * decoded.length) / squares)
}

describe.each([40, 82, 95])('at quality %i', (quality) => {
  test.each(themes)(
    'a card of %s is as near to its pixels as by libjpeg, in as many bytes',
    async (theme) => {
      const bitmap = alone(painted(exampleCard(`${theme}-b`).scene, 601))
      const [own, theirs] = [encodeCardJpeg(bitmap, quality), await encodeJpeg(bitmap, quality)]
      expect(await nearness(bitmap, own)).toBeGreaterThan((await nearness(bitmap, theirs)) - 0.05)
      expect(own.length).toBeLessThan(theirs.length * 1.02)
    },
  )

  test.each(themes)('a card of %s has the same bytes whichever card was encoded before', (theme) => {
    const { scene } = exampleCard(`${theme}-b`)
    const others = [{ ...scene, layers: [] }, { ...scene, layers: scene.layers.slice(0, 1) }, scene]
    for (const [index, before] of others.entries()) {
      // Another key, so that each order of cards begins without a background.
      const background = { ...scene.background, key: `${theme} ${quality} ${index}` }
      encodeCardJpeg(painted({ ...before, background }, 601), quality)
      for (const layers of [scene.layers, [], scene.layers.slice(1)]) {
        const bitmap = painted({ ...scene, layers, background }, 601)
        expect(bitmap.behind).toBeDefined()
        expect(Buffer.compare(encodeCardJpeg(bitmap, quality), encodeCardJpeg(alone(bitmap), quality))).toBe(
          0,
        )
      }
    }
  })
})

test.each(['emoji', 'picture'] as const)('a background below an %s is encoded again', (kind) => {
  const { scene } = exampleCard('paper-b')
  const place = { x: 40, y: 30 }
  const layer =
    kind === 'emoji'
      ? { kind, name: 'dot', sidePx: 90, ...place }
      : { kind, key: 'dot', png: dot, widthPx: 90, heightPx: 90, ...place }
  const options = {
    marksTouched: true,
    emojiBodies: new Map([['dot', '<circle cx="18" cy="18" r="18" fill="#c00"/>']]),
  }
  const background = { ...scene.background, key: `below an ${kind}` }
  encodeCardJpeg(paintScene({ ...scene, background, layers: [] }, 601, options), 82)
  const bitmap = paintScene({ ...scene, background, layers: [layer] }, 601, options)
  expect(Buffer.compare(encodeCardJpeg(bitmap, 82), encodeCardJpeg(alone(bitmap), 82))).toBe(0)
})

const dot = Uint8Array.from(
  await sharp({ create: { width: 90, height: 90, channels: 4, background: '#c00' } })
    .png()
    .toBuffer(),
)

test('noise of every size up to two blocks is a JPEG, at the lowest and the highest quality too', async () => {
  const random = randomFrom(5)
  for (const quality of [1, 82, 100])
    for (let sidePx = 1; sidePx <= 33; sidePx += 4) {
      const [widthPx, heightPx] = [sidePx, 34 - sidePx]
      const rows = Uint8Array.from({ length: rowBytes(widthPx, 3) * heightPx }, () => random.below(2) * 255)
      const bitmap: Bitmap = { widthPx, heightPx, channels: 3, rows }
      const theirs = await nearness(bitmap, await bySharp(bitmap, quality))
      expect(await nearness(bitmap, encodeCardJpeg(bitmap, quality))).toBeGreaterThan(theirs - 1)
    }
})

function bySharp({ widthPx: width, heightPx: height, rows }: Bitmap, quality: number): Promise<Uint8Array> {
  const pixels = rows.filter((_, at) => at % rowBytes(width, 3) !== 0)
  const chromaSubsampling = quality < 90 ? '4:2:0' : '4:4:4'
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality, chromaSubsampling })
    .toBuffer()
}
