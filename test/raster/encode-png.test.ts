import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { deflateSync, inflateSync } from 'node:zlib'
import sharp from 'sharp'
import { type Bitmap, rowBytes } from '../../src/raster/bitmap.ts'
import { encodePhotoPng, encodePng } from '../../src/raster/encode-png.ts'
import { paintScene } from '../../src/raster/paint-scene.ts'
import { deflateId, pictureFormats } from '../../src/raster/picture-formats.ts'
import {
  packedPixels,
  pixelBytes,
  unpacksToItsSize,
} from '../../src/raster/picture-process/convert-picture.ts'
import { chunk, pngHeader, pngOf } from '../support/pictures.ts'
import { decodePng } from '../support/png-decode.ts'
import cases from './encode-png.json' with { type: 'json' }
import { exampleCard } from './example-scenes.ts'

const { backgroundColorsMax } = pictureFormats.png

function bitmapOf(
  widthPx: number,
  heightPx: number,
  channels: 3 | 4,
  sample: (x: number, y: number, channel: number) => number,
): Bitmap {
  const rows = new Uint8Array(rowBytes(widthPx, channels) * heightPx)
  for (let y = 0; y < heightPx; y++)
    for (let x = 0; x < widthPx; x++)
      for (let channel = 0; channel < channels; channel++)
        rows[y * rowBytes(widthPx, channels) + 1 + x * channels + channel] = sample(x, y, channel)
  return { widthPx, heightPx, channels, rows }
}

/** A card that is not lost when another picture is encoded. */
function paintedCopy(name: string): Bitmap {
  const card = paintScene(exampleCard(name).scene, 1200)
  return { ...card, rows: card.rows.slice() }
}

/** The bitmap's pixels as the decoder gives them. */
function rgbaOf({ widthPx, heightPx, channels, rows }: Bitmap): Uint8Array {
  return Uint8Array.from({ length: widthPx * heightPx * 4 }, (_, i) => {
    const channel = i % 4
    const pixel = (i - channel) / 4
    const row = Math.floor(pixel / widthPx)
    const at = row * rowBytes(widthPx, channels) + 1 + (pixel - row * widthPx) * channels + channel
    return channel < channels ? (rows[at] ?? 0) : 255
  })
}

function expectExact(bitmap: Bitmap, colorType: number, png = encodePng(bitmap)): void {
  const decoded = decodePng(png)
  expect(decoded.colorType).toBe(colorType)
  expect([decoded.widthPx, decoded.heightPx]).toEqual([bitmap.widthPx, bitmap.heightPx])
  expect(Buffer.from(decoded.rgba).equals(rgbaOf(bitmap))).toBe(true)
}

test('a photograph that is small enough is packed as differences of its pixels, and read back as it was', async () => {
  const photo = bitmapOf(61, 47, 3, (x, y, channel) => (x * 5 + y * 3 + ((x * y) % 7) + channel * 60) & 255)
  expectExact(photo, 2, await encodePhotoPng(photo, () => photo))
})

describe('a PNG holds exactly the painted pixels', () => {
  const pictures: readonly (readonly [name: string, colorType: number, bitmap: Bitmap])[] = [
    ['a card of many colours', 2, paintedCopy('aurora-b')],
    ['one pixel', 3, bitmapOf(1, 1, 3, () => 7)],
    [
      'an odd width',
      2,
      bitmapOf(53, 25, 3, (x, y, channel) => (x * 31 + y * 17 * (channel + 1) + channel * 90) & 255),
    ],
    [
      'translucent pixels',
      6,
      bitmapOf(40, 30, 4, (x, y, channel) => (x * 6 + y * 8 * (channel + 1) + channel * 50) & 255),
    ],
  ]
  for (const [name, colorType, bitmap] of pictures) test(name, () => expectExact(bitmap, colorType))
})

describe('a palette', () => {
  test('is exact up to 256 colours, translucent ones among them', () => {
    expectExact(
      bitmapOf(64, 64, 4, (x, y, channel) => [x & 15, y & 15, 9, 255 - (x & 15)][channel] ?? 0),
      3,
    )
  })

  test('is exact where rows repeat, opaque and translucent', () => {
    const level = (x: number, y: number, channel: number) => (x >> 3) * 20 + (y >> 3) * (channel + 1) * 8
    for (const channels of [3, 4] as const) expectExact(bitmapOf(51, 40, channels, level), 3)
  })

  test('changes edges of flat cards by steps that do not show, and areas not at all', () => {
    for (const name of ['paper-b', 'poster-b', 'hi-paper', 'ja-paper']) {
      const bitmap = paintScene(exampleCard(name).scene, 1200)
      const png = encodePng(bitmap)
      expect(png.length).toBeLessThan(45 * 1024)
      const decoded = decodePng(png)
      expect(decoded.colorType).toBe(3)
      const wanted = rgbaOf(bitmap)
      let changed = 0
      let most = 0
      for (let i = 0; i < wanted.length; i++) {
        const delta = Math.abs((wanted[i] ?? 0) - (decoded.rgba[i] ?? 0))
        if (delta > 0) changed++
        if (delta > most) most = delta
      }
      expect(most).toBeLessThanOrEqual(8)
      expect(changed / wanted.length).toBeLessThan(0.03)
    }
  })

  test('is not used where it would show: gradients and noise stay exact', () => {
    const gradient = bitmapOf(256, 64, 3, (x, y, channel) => [x, (x + y) & 255, 90][channel] ?? 0)
    const noise = bitmapOf(
      200,
      200,
      3,
      (x, y, channel) => Math.abs(Math.sin(x * 12.9898 + y * 78.233 + channel * 37.719) * 43758) & 255,
    )
    for (const bitmap of [gradient, noise, paintedCopy('grid-b')]) expectExact(bitmap, 2)
  })
})

test('a card with gradients takes at most 50 KB', () => {
  for (const name of ['aurora-b', 'ar-aurora', 'grid-b', 'term-b']) {
    const { scene } = exampleCard(name)
    expect(encodePng(paintScene(scene, 1200, { backgroundColorsMax })).length, name).toBeLessThan(50 * 1024)
  }
})

test('the decoder that judges us takes no filter that PNG has not', () => {
  const rows = new Uint8Array(rowBytes(2, 3))
  function read(filter: number) {
    return decodePng(pngOf(pngHeader(2, 1, 8, 2, 0), chunk('IDAT', deflateSync(rows.with(0, filter)))))
  }
  expect(read(4).rgba).toHaveLength(8)
  for (const filter of [5, 255]) expect(() => read(filter)).toThrow(`filter ${filter}`)
})

test('the decoder that judges us undoes all five filters', () => {
  const width = 90
  const wanted = Array.from(
    { length: 5 * width * 3 },
    (_, i) => Math.abs(Math.sin(i * 12.9898) * 43758) & 255,
  )
  const filtered = wanted.flatMap((value, i) => {
    const row = Math.floor(i / (width * 3))
    const column = i % (width * 3)
    const left = column >= 3 ? (wanted[i - 3] ?? 0) : 0
    const above = row > 0 ? (wanted[i - width * 3] ?? 0) : 0
    const corner = column >= 3 && row > 0 ? (wanted[i - width * 3 - 3] ?? 0) : 0
    const guess = left + above - corner
    const paeth = [left, above, corner].sort((a, b) => Math.abs(guess - a) - Math.abs(guess - b))[0] ?? 0
    const predicted = [0, left, above, (left + above) >> 1, paeth][row] ?? 0
    return column === 0 ? [row, (value - predicted) & 255] : [(value - predicted) & 255]
  })
  const bitmap = { widthPx: width, heightPx: 5, channels: 3, rows: Uint8Array.from(filtered) } as const
  const { rgba } = decodePng(encodePng(bitmap))
  expect([...rgba].filter((_, i) => i % 4 < 3)).toEqual(wanted)
})

/** Measured checksums of the files below, by the name of the deflate. A new deflate gets a line of its own. */
const known: Readonly<Record<string, string>> = {
  // Bun 1.4.5 on x64: with level 5 everywhere, then with level 4 for pixels of three bytes, then in larger pieces, then with
  // backgrounds of 128 colours.
  '1Q2TfPiP': 'b6d9296be9d9b457',
  hvlizMPs: '32dd3ce84b7207e4',
  HOsg62aQ: '32dd3ce84b7207e4',
  uN8L8dg_: '32dd3ce84b7207e4',
}

/** Slow gradients with strokes over them, as cards are. */
function drawing(widthPx: number, heightPx: number, shades: number): Bitmap {
  const stride = rowBytes(widthPx, 3)
  const rows = new Uint8Array(stride * heightPx)
  for (let y = 0; y < heightPx; y++)
    for (let x = 0; x < widthPx * 3; x++) {
      const isStroke = ((x >> 5) * (y >> 4) * 7) % 11 === 0
      const background = Math.floor(((x * y) % 5000) / (5000 / shades))
      rows[y * stride + 1 + x] = isStroke ? 250 : background
    }
  return { widthPx, heightPx, channels: 3, rows }
}

test('files by a deflate of one name have the same bytes, so that an ETag never stands for two', () => {
  const files = [encodePng(drawing(400, 300, 200)), encodePng(drawing(400, 300, 2))]
  const sum = createHash('sha256').update(Buffer.concat(files)).digest('hex').slice(0, 16)
  expect({ [deflateId]: known[deflateId] ?? sum }).toEqual({ [deflateId]: sum })
})

const sizes = cases.sizes as [number, number][]
const kinds = ['rgb', 'rgba', 'gray', 'gray16', 'rgb16', 'palette'] as const

function encode(kind: (typeof kinds)[number], widthPx: number, heightPx: number, progressive: boolean) {
  const channels = kind === 'rgba' ? 4 : 3
  const rgb = Uint8Array.from({ length: widthPx * heightPx * channels }, (_, at) => (at * 37) % 251)
  const picture = sharp(rgb, { raw: { width: widthPx, height: heightPx, channels } })
  if (kind === 'gray') picture.toColourspace('b-w')
  if (kind === 'gray16') picture.toColourspace('grey16')
  if (kind === 'rgb16') picture.toColourspace('rgb16')
  return picture.png({ progressive, palette: kind === 'palette', colours: 4 }).toBuffer()
}

test.each(kinds)(
  'the pixels of a PNG (%s) unpack to what its header says, interlaced or not',
  async (kind) => {
    for (const [widthPx, heightPx] of sizes)
      for (const progressive of [false, true]) {
        const png = await encode(kind, widthPx, heightPx, progressive)
        const label = [widthPx, heightPx, progressive]
        expect([...label, pixelBytes(png)]).toEqual([...label, inflateSync(packedPixels(png)).length])
        expect(await unpacksToItsSize(png)).toBe(true)
      }
  },
)
