import { describe, expect, test } from 'bun:test'
import sharp from 'sharp'
import { type Bitmap, rowBytes } from '../../src/raster/bitmap.ts'
import { encodeJpeg } from '../../src/raster/encode-lossy.ts'
import { encodePhotoPng } from '../../src/raster/encode-png.ts'
import { encodeWithin, networkBytesMax } from '../../src/raster/encode-within.ts'
import { paintScene } from '../../src/raster/paint-scene.ts'
import { encodePicture } from '../../src/raster/picture-formats.ts'
import { readPictureHeader } from '../../src/raster/picture-headers.ts'
import { decodePng } from '../support/png-decode.ts'
import { randomFrom } from '../support/random.ts'
import { sampleOf } from '../support/test-size.ts'
import { exampleCard } from './example-scenes.ts'
import { meanDistance, rgbOf, rgbOfPng } from './support/pixels.ts'

const widthPx = 601
const cards = ['aurora-b', 'term-b', 'paper-b', 'ar-aurora'] as const

function painted(name: string): Bitmap {
  const bitmap = paintScene(exampleCard(name).scene, widthPx)
  return { ...bitmap, rows: bitmap.rows.slice() }
}

function decoded(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return sharp(bytes).removeAlpha().raw().toBuffer()
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
        distances.push(meanDistance(await decoded(bytes), rgbOf(bitmap)))
        sizes.push(bytes.length)
      }
      expect(sizes.toSorted((a, b) => a - b)).toEqual(sizes)
      expect(distances.toSorted((a, b) => b - a)).toEqual(distances)
      expect(distances[1]).toBeLessThan(3)
    },
  )

  test('is what it says it is, of the size of the bitmap', async () => {
    const bytes = await encodePicture(painted('term-b'), { format, quality: 82 })
    expect(readPictureHeader(format, bytes)).toMatchObject({ widthPx, heightPx: 316, frames: 1 })
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

const themes = ['aurora', 'term', 'paper'] as const

/** How far a file is from the pixels, in dB: the higher, the nearer. */
async function nearness(bitmap: Bitmap, file: Uint8Array): Promise<number> {
  const decoded = await sharp(file, { failOn: 'warning' }).removeAlpha().raw().toBuffer()
  const rgb = rgbOf(bitmap)
  expect(decoded.length).toBe(rgb.length)
  const squares = decoded.reduce((sum, value, at) => sum + (value - (rgb[at] ?? 0)) ** 2, 0)
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

function bySharp(bitmap: Bitmap, quality: number): Promise<Uint8Array> {
  const { widthPx: width, heightPx: height } = bitmap
  const chromaSubsampling = quality < 90 ? '4:2:0' : '4:4:4'
  return sharp(rgbOf(bitmap), { raw: { width, height, channels: 3 } })
    .jpeg({ quality, chromaSubsampling })
    .toBuffer()
}

function grainy(widthPx: number, heightPx: number, noise: number) {
  const random = randomFrom(noise)
  const stride = rowBytes(widthPx, 3)
  const rows = new Uint8Array(stride * heightPx)
  for (let at = 0; at < rows.length; at++)
    rows[at] = at % stride === 0 ? 0 : ((at % stride) >> 2) + Math.floor(at / stride) + random.below(noise)
  return { widthPx, heightPx, channels: 3, rows } as const
}

test('every pixel of a photograph is as it was painted', async () => {
  for (const [widthPx, heightPx] of [
    [211, 97],
    [1, 1],
    [3, 2],
    // More rows than share their codes.
    [701, 150],
  ] as const) {
    const picture = grainy(widthPx, heightPx, 6)
    // The decoder checks the checksum of all rows.
    const png = await encodePhotoPng(picture, neverAgain)
    expect(rgbOfPng(png).equals(rgbOf(picture))).toBe(true)
  }
})

test('the bytes of a card do not depend on the cards that were drawn before it', async () => {
  const card = grainy(211, 97, 9)
  const first = await encodePhotoPng(card, neverAgain)
  await encodePhotoPng(grainy(211, 97, 4), neverAgain)
  await encodePhotoPng(grainy(90, 97, 30), neverAgain)
  expect(Buffer.from(await encodePhotoPng(card, neverAgain)).equals(first)).toBe(true)
})

function neverAgain(): never {
  throw new Error('small enough without a coarser background')
}

test('what would be larger than allowed becomes a palette', async () => {
  const noise = grainy(700, 500, 256)
  const png = await encodePhotoPng(noise, () => noise)
  expect(png[25]).toBe(3)
  expect(png.byteLength).toBeLessThanOrEqual(networkBytesMax)
})

test('a background that is painted again in coarser cells is as it was painted', async () => {
  const [widthPx, heightPx] = [1200, 1000]
  const random = randomFrom(8)
  let cells = grainy(widthPx, heightPx, 256)
  function repaint(cellPx: number): Bitmap {
    expect(cellPx).toBeGreaterThan(1)
    const stride = rowBytes(widthPx, 3)
    const rows = new Uint8Array(stride * heightPx)
    for (let y = 0; y < heightPx; y += 1)
      for (let x = 0; x < widthPx; x += 1) {
        const at = y * stride + 1 + x * 3
        const from = y % cellPx > 0 ? at - stride : at - 3
        if (y % cellPx > 0 || x % cellPx > 0) rows.copyWithin(at, from, from + 3)
        else rows.fill([0, 90, 180, 255][random.below(4)] ?? 0, at, at + 3)
      }
    cells = { ...cells, rows }
    return cells
  }
  const png = await encodePhotoPng(cells, repaint)
  expect(rgbOfPng(png).equals(rgbOf(cells))).toBe(true)
})

/** Colours that move slowly, under noise of so many steps of 255: the more, the larger the file. */
function photo(widthPx: number, heightPx: number, noise: number): Bitmap {
  const random = randomFrom(5)
  const rows = new Uint8Array((1 + widthPx * 3) * heightPx)
  for (let y = 0, at = 0; y < heightPx; y++) {
    at += 1
    for (let x = 0; x < widthPx; x++) {
      const grain = random.below(noise + 1)
      const light = 90 + 60 * Math.sin(x / 190) * Math.cos(y / 140)
      rows[at++] = light + grain
      rows[at++] = light * 0.8 + grain
      rows[at++] = 60 + (y / heightPx) * 90 + grain
    }
  }
  return { widthPx, heightPx, channels: 3, rows }
}

test.each([
  ['jpeg', 95, 60],
  ['jpeg', 82, 100],
  ['webp', 95, 60],
] as const)(
  'a %s of quality %i that is too large for networks is encoded again until it is not',
  async (format, quality, noise) => {
    const bytes = await encodePicture(photo(1600, 900, noise), { format, quality }, neverAgain)
    expect(bytes.byteLength).toBeLessThanOrEqual(networkBytesMax)
    // Not for a picture that nobody can look at.
    expect(bytes.byteLength).toBeGreaterThan(networkBytesMax * 0.5)
    expect(readPictureHeader(format, bytes)).toMatchObject({ widthPx: 1600, heightPx: 900 })
  },
)

/** Each is a tenth smaller than the one before it. */
const settings = Array.from({ length: 93 }, (_, below) => ({ quality: 93 - below, size: 0.9 ** below }))

test('a file that is small enough has the quality that was asked for', async () => {
  const asked: number[] = []
  await encodeWithin(settings, async ({ quality }) => {
    asked.push(quality)
    return new Uint8Array(100)
  })
  expect(asked).toEqual([93])
})

test('what is too large is encoded by the best setting that promises to fit, by no worse one', async () => {
  const asked: number[] = []
  const bytes = await encodeWithin(
    settings,
    async ({ quality, size }) => {
      asked.push(quality)
      return new Uint8Array(2000 * size)
    },
    1000,
  )
  expect(asked).toEqual([93, 86])
  expect(bytes.length).toBeLessThanOrEqual(1000)
})

test('what fits in no quality is encoded a few times only', async () => {
  const asked: number[] = []
  await encodeWithin(
    settings,
    async ({ quality }) => {
      asked.push(quality)
      return new Uint8Array(1000)
    },
    10,
  )
  expect(asked.length).toBeLessThan(6)
  expect(asked.at(-1)).toBe(1)
})

test('a PNG with a photograph keeps every pixel while networks take it', async () => {
  const bitmap = photo(400, 300, 30)
  const { rgba, colorType } = decodePng(await encodePicture(bitmap, { format: 'png' }, neverAgain))
  expect(colorType).toBe(2)
  expect([...rgba.subarray(0, 3)]).toEqual([...bitmap.rows.subarray(1, 4)])
})

test('a PNG with a photograph that networks would not take has a palette, and looks like its pixels', async () => {
  const bitmap = photo(1200, 630, 8)
  const png = await encodePicture(bitmap, { format: 'png' }, neverAgain)
  expect(png.byteLength).toBeLessThanOrEqual(networkBytesMax)
  const { colorType, widthPx, heightPx } = decodePng(png)
  expect([colorType, widthPx, heightPx]).toEqual([3, 1200, 630])
  expect(meanDistance(rgbOfPng(png), rgbOf(bitmap))).toBeLessThan(5)
})
