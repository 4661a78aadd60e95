import { expect, test } from 'bun:test'
import sharp from 'sharp'
import { rowBytes } from '../../src/raster/bitmap.ts'
import { encodeIndexedWebp } from '../../src/raster/encode-lossy.ts'
import { startCanvas } from '../../src/raster/pixel-canvas.ts'
import { randomFrom } from '../support/random.ts'

interface Picture {
  readonly widthPx: number
  readonly heightPx: number
  readonly rows: Uint8Array<ArrayBuffer>
}

type NumberAt = (x: number, y: number) => number

function picture(widthPx: number, heightPx: number, numberAt: NumberAt): Picture {
  const stride = rowBytes(widthPx, 1)
  const rows = new Uint8Array(stride * heightPx)
  for (let y = 0; y < heightPx; y++)
    for (let x = 0; x < widthPx; x++) rows[y * stride + 1 + x] = numberAt(x, y)
  return { widthPx, heightPx, rows }
}

const random = randomFrom(7)
function noise(numbers: number): NumberAt {
  return () => random.below(numbers)
}

/** Repeats as long, as far and as often as formats allow, and a little beyond. */
const pictures: readonly Picture[] = [
  picture(1, 1, () => 0),
  picture(1, 400, noise(3)),
  picture(5000, 1, noise(256)),
  picture(17, 33, noise(2)),
  picture(1200, 630, () => 255),
  picture(300, 300, noise(256)),
  picture(300, 300, noise(17)),
  picture(257, 200, (x, y) => (x + y) & 255),
  picture(1000, 200, (x, y) => (((x * x) >> 7) ^ (y >> 1)) & 127),
  ...[32_766, 32_767, 32_768, 32_769, 40_000].map((far) => {
    const once = Uint8Array.from({ length: far }, noise(256))
    return picture(far * 2, 1, (x) => once[x % far] as number)
  }),
  ...[257, 258, 259, 4095, 4096, 4097, 70_000].map((long) => picture(long + 1, 1, (x) => (x === 0 ? 1 : 2))),
  // Some symbols are a thousand times as frequent as others, so that codes would be longer than formats allow.
  picture(40_000, 1, () => Math.min(255, Math.floor(30 - Math.log2(1 + random.below(2 ** 30))))),
  picture(2, 9000, noise(40)),
  picture(16_000, 3, noise(90)),
]

const grays = Uint8Array.from({ length: 768 }, (_, at) => (Math.floor(at / 3) * 7 + (at % 3) * 40) & 255)

test('a WebP of numbered colours has exactly these pixels', async () => {
  for (const size of pictures.filter(({ widthPx }) => widthPx <= 16_383)) {
    const { widthPx, heightPx, rows } = size
    const file = encodeIndexedWebp(size, { colors: grays, rows })
    const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    expect(info).toMatchObject({ width: widthPx, height: heightPx, channels: 3 })
    expect(Buffer.compare(data, colored(size))).toBe(0)
  }
})

test('a WebP may have any number of colours from 1 to 256', async () => {
  for (const count of [1, 2, 3, 4, 5, 15, 16, 17, 18, 128, 255, 256]) {
    const size = picture(40, 30, noise(count))
    const colors = grays.slice(0, count * 3)
    const file = encodeIndexedWebp(size, { colors, rows: size.rows })
    expect(Buffer.compare(await sharp(file).removeAlpha().raw().toBuffer(), colored(size))).toBe(0)
  }
})

test('equal rows become equal bytes, wherever they are and whatever was packed before', () => {
  const size = picture(600, 300, noise(4))
  function webp({ rows, ...size }: Picture) {
    return encodeIndexedWebp(size, { colors: grays, rows })
  }
  const first = webp(size)
  for (const each of pictures.filter(({ widthPx }) => widthPx <= 16_383)) webp(each)
  expect(Buffer.compare(webp(size), first)).toBe(0)
  const canvas = startCanvas(size.widthPx, size.heightPx)
  canvas.numbers.set(size.rows)
  expect(Buffer.compare(webp({ ...size, rows: canvas.numbers }), first)).toBe(0)
})

test('what lies behind rows in memory, and repeats on beyond them, is of no consequence', () => {
  const once = Uint8Array.from({ length: 60 }, noise(256))
  function repeated(bytes: number) {
    return picture(bytes, 1, (x) => once[x % 50] as number)
  }
  function webpBehind(before: Picture, { rows, ...size }: Picture) {
    encodeIndexedWebp(before, { colors: grays.subarray(0, 3), rows: before.rows })
    return encodeIndexedWebp(size, { colors: grays, rows })
  }
  for (let bytes = 51; bytes <= 66; bytes++) {
    const [blank, alike] = [picture(90, 1, () => 0), repeated(90)].map((before) =>
      webpBehind(before, repeated(bytes)),
    )
    expect([bytes, Buffer.compare(blank as Uint8Array, alike as Uint8Array)]).toEqual([bytes, 0])
  }
})

/** Three bytes a pixel. */
function colored({ widthPx, heightPx, rows }: Picture): Uint8Array {
  const stride = rowBytes(widthPx, 1)
  const pixels = new Uint8Array(widthPx * heightPx * 3)
  for (let at = 0; at < widthPx * heightPx; at++) {
    const number = rows[Math.floor(at / widthPx) * stride + 1 + (at % widthPx)] as number
    pixels.set(grays.subarray(number * 3, number * 3 + 3), at * 3)
  }
  return pixels
}
