import { describe, expect, test } from 'bun:test'
import { type Bitmap, rowBytes } from '../../src/raster/bitmap.ts'
import { encodeOverGround } from '../../src/raster/encode-over-ground.ts'
import { encodePhotoPng } from '../../src/raster/encode-photo-png.ts'
import { createGroundStream } from '../../src/raster/ground-stream.ts'
import { huffmanLengths } from '../../src/raster/huffman-lengths.ts'
import { decodePng } from '../support/png-decode.ts'
import { randomFrom } from '../support/random.ts'

const [widthPx, heightPx] = [211, 97]
const stride = rowBytes(widthPx, 3)
const bytesMax = 200_000

function grainy(noise: number): Uint8Array<ArrayBuffer> {
  const random = randomFrom(noise)
  const rows = new Uint8Array(stride * heightPx)
  for (let at = 0; at < rows.length; at++)
    rows[at] = at % stride === 0 ? 0 : ((at % stride) >> 2) + Math.floor(at / stride) + random.below(noise)
  return rows
}

/** Bytes in the layout of rows, as the decoder gives them. */
function decodedRows(png: Uint8Array): Uint8Array {
  const { rgba } = decodePng(png)
  const rows = new Uint8Array(stride * heightPx)
  for (let pixel = 0; pixel < widthPx * heightPx; pixel++)
    for (let channel = 0; channel < 3; channel++) {
      const [x, y] = [pixel % widthPx, Math.floor(pixel / widthPx)]
      rows[y * stride + 1 + x * 3 + channel] = rgba[pixel * 4 + channel] ?? 0
    }
  return rows
}

/** A rectangle of one colour and random grain in it, cut off at the edges. */
function paintOver(rows: Uint8Array, [left, top, right, bottom]: readonly number[], light: number): void {
  for (let y = Math.max(0, top ?? 0); y < Math.min(heightPx, bottom ?? 0); y++)
    for (let x = Math.max(0, left ?? 0); x < Math.min(widthPx, right ?? 0); x++)
      rows.fill(light ^ (x & 3), y * stride + 1 + x * 3, y * stride + 4 + x * 3)
}

describe.each(['up', 'paeth'] as const)('over a ground with the filter %s', (filter) => {
  const ground = grainy(6)
  const size = { widthPx, heightPx, channels: 3 } as const
  const room = filter === 'up' ? bytesMax : sizeOf(ground) * 1.04
  const stream = createGroundStream({ ...size, rows: ground }, room)

  test('every pixel of a card is as it was painted, wherever it differs from its ground', () => {
    expect(stream?.filter).toBe(filter)
    if (stream === undefined) throw new Error('the ground is too large')
    const random = randomFrom(7)
    const cases = [
      [],
      [[0, 0, 1, 1]],
      [[widthPx - 1, heightPx - 1, widthPx, heightPx]],
      [[0, 0, widthPx, heightPx]],
      ...Array.from({ length: 40 }, () => {
        const [x, y] = [random.below(widthPx) - 9, random.below(heightPx) - 9]
        return [[x, y, x + random.below(90), y + random.below(60)]]
      }),
    ]
    for (const rectangles of cases) {
      const rows = ground.slice()
      for (const rectangle of rectangles) paintOver(rows, rectangle, random.below(256))
      const png = encodeOverGround({ ...size, rows }, ground, stream, bytesMax)
      // The decoder checks the checksum of all rows.
      expect(png && Buffer.from(decodedRows(png)).equals(rows)).toBe(true)
    }
  })
})

/** What the ground takes with the faster filter, about. */
function sizeOf(rows: Uint8Array): number {
  const stream = createGroundStream({ widthPx, heightPx, rows }, bytesMax)
  return stream ? stream.words.byteLength : 0
}

test('the bytes of a card do not depend on the cards that were drawn before it', () => {
  const rows = grainy(9)
  const card = rows.slice()
  paintOver(card, [20, 20, 150, 60], 250)
  const bitmap: Bitmap = { widthPx, heightPx, channels: 3, rows: card }
  const first = encodePhotoPng(bitmap, kept('one', rows))
  encodePhotoPng({ ...bitmap, rows: grainy(4) }, kept('one', rows))
  encodePhotoPng(bitmap, kept('two', grainy(30)))
  expect(Buffer.from(encodePhotoPng(bitmap, kept('one', rows))).equals(first)).toBe(true)
})

function kept(key: string, rows: Uint8Array) {
  return {
    kept: { key, rows },
    repaint: () => {
      throw new Error('small enough without a coarser ground')
    },
  }
}

test('what would be larger than allowed is no file', () => {
  const size = { widthPx, heightPx, channels: 3 } as const
  const ground = grainy(3)
  const stream = createGroundStream({ ...size, rows: ground }, bytesMax)
  const limit = (stream?.words.byteLength ?? 0) + 5000
  expect(stream && encodeOverGround({ ...size, rows: grainy(255) }, ground, stream, limit)).toBeUndefined()
  expect(createGroundStream({ ...size, rows: grainy(255) }, 20_000)).toBeUndefined()
})

describe('the lengths of codes by frequency', () => {
  test('leave no code out and none over, and are short for what is frequent', () => {
    const random = randomFrom(11)
    for (let tries = 0; tries < 50; tries++) {
      const counts = Uint32Array.from({ length: 257 }, () => 1 + random.below(2) * random.below(40_000))
      const lengths = huffmanLengths(counts, 15)
      expect(lengths.reduce((sum, length) => sum + 2 ** -length, 0)).toBe(1)
      const bits = counts.reduce((sum, count, symbol) => sum + count * (lengths[symbol] ?? 0), 0)
      const total = counts.reduce((sum, count) => sum + count, 0)
      const least = counts.reduce((sum, count) => sum + count * Math.log2(total / count), 0)
      expect(bits).toBeLessThan(least * 1.02)
    }
  })

  test('stay within their limit where each count is the sum of the two before', () => {
    const counts = new Uint32Array(40).fill(1)
    for (let at = 2; at < 40; at++) counts[at] = (counts[at - 1] ?? 0) + (counts[at - 2] ?? 0)
    const lengths = huffmanLengths(counts, 15)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(15)
    expect(lengths.reduce((sum, length) => sum + 2 ** -length, 0)).toBe(1)
  })
})
