import { describe, expect, test } from 'bun:test'
import sharp from 'sharp'
import { type Bitmap, rowBytes } from '../../src/raster/bitmap.ts'
import { paintScene } from '../../src/raster/paint-scene.ts'
import { encodePicture } from '../../src/raster/picture-formats.ts'
import { readJpegHeader, readWebpHeader } from '../../src/raster/picture-headers.ts'
import { sampleOf } from '../support/test-size.ts'
import { exampleCard } from './example-scenes.ts'

const widthPx = 601
const cards = ['aurora-b', 'term-b', 'paper-b', 'ar-aurora'] as const

function painted(name: string): Bitmap {
  const bitmap = paintScene(exampleCard(name).scene, widthPx)
  return { ...bitmap, rows: bitmap.rows.slice() }
}

/** Three bytes a pixel. */
function rgbOf({ heightPx, rows }: Bitmap): Uint8Array {
  const stride = rowBytes(widthPx, 3)
  return Buffer.concat(
    Array.from({ length: heightPx }, (_, y) => rows.subarray(y * stride + 1, (y + 1) * stride)),
  )
}

function decoded(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return sharp(bytes).removeAlpha().raw().toBuffer()
}

/** The mean distance of a channel, in steps of 255. */
function distance(one: Uint8Array, other: Uint8Array): number {
  expect(one.length).toBe(other.length)
  return one.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0) / one.length
}

describe.each(['jpeg', 'webp'] as const)('%s', (format) => {
  test.each(sampleOf(cards, 3))(
    'of %s looks like the pixels, and the closer the higher its quality',
    async (name) => {
      const bitmap = painted(name)
      const distances: number[] = []
      const sizes: number[] = []
      for (const quality of [40, 82, 95]) {
        const bytes = await encodePicture(bitmap, { format, quality })
        distances.push(distance(await decoded(bytes), rgbOf(bitmap)))
        sizes.push(bytes.length)
      }
      expect(sizes.toSorted((a, b) => a - b)).toEqual(sizes)
      expect(distances.toSorted((a, b) => b - a)).toEqual(distances)
      expect(distances[1]).toBeLessThan(3)
    },
  )

  test('is what it says it is, of the size of the bitmap', async () => {
    const bytes = await encodePicture(painted('term-b'), { format, quality: 82 })
    const read = format === 'jpeg' ? readJpegHeader : readWebpHeader
    expect(read(new DataView(bytes.buffer))).toMatchObject({ widthPx, heightPx: 316, frames: 1 })
  })

  test('is equal for equal pixels, whatever was encoded before', async () => {
    const bitmap = painted('aurora-b')
    const first = await encodePicture(bitmap, { format, quality: 82 })
    await encodePicture(painted('term-b'), { format, quality: 50 })
    expect(Buffer.from(await encodePicture(bitmap, { format, quality: 82 })).equals(first)).toBe(true)
  })
})

test('a JPEG keeps the colour of each pixel from quality 90 on', async () => {
  const samplings = await Promise.all(
    [89, 90].map(async (quality) => {
      const bytes = Buffer.from(await encodePicture(painted('term-b'), { format: 'jpeg', quality }))
      const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]))
      return bytes[frame + 11]
    }),
  )
  expect(samplings).toEqual([0x22, 0x11])
})
