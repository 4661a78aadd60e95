import { expect, test } from 'bun:test'
import type { Bitmap } from '../../src/raster/bitmap.ts'
import { encodeWithin, networkBytesMax } from '../../src/raster/encode-within.ts'
import { encodePicture } from '../../src/raster/picture-formats.ts'
import { readPictureHeader } from '../../src/raster/picture-headers.ts'
import { decodePng } from '../support/png-decode.ts'
import { randomFrom } from '../support/random.ts'

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
    const bytes = await encodePicture(photo(1600, 900, noise), { format, quality }, () => neverNeeded())
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
  const { rgba, colorType } = decodePng(await encodePicture(bitmap, { format: 'png' }, () => neverNeeded()))
  expect(colorType).toBe(2)
  expect([...rgba.subarray(0, 3)]).toEqual([...bitmap.rows.subarray(1, 4)])
})

test('a PNG with a photograph that networks would not take has a palette, and looks like its pixels', async () => {
  const bitmap = photo(1200, 630, 8)
  const png = await encodePicture(bitmap, { format: 'png' }, () => neverNeeded())
  expect(png.byteLength).toBeLessThanOrEqual(networkBytesMax)
  const { rgba, colorType, widthPx, heightPx } = decodePng(png)
  expect([colorType, widthPx, heightPx]).toEqual([3, 1200, 630])
  let sum = 0
  for (let y = 0; y < heightPx; y++)
    for (let x = 0; x < widthPx; x++)
      for (let channel = 0; channel < 3; channel++)
        sum += Math.abs(
          (rgba[(y * widthPx + x) * 4 + channel] ?? 0) -
            (bitmap.rows[y * (1 + widthPx * 3) + 1 + x * 3 + channel] ?? 0),
        )
  expect(sum / (widthPx * heightPx * 3)).toBeLessThan(5)
})

function neverNeeded(): never {
  throw new Error('small enough without a coarser background')
}
