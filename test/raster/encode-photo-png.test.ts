import { expect, test } from 'bun:test'
import { rowBytes } from '../../src/raster/bitmap.ts'
import { encodePhotoPng } from '../../src/raster/encode-png.ts'
import { networkBytesMax } from '../../src/raster/encode-within.ts'
import { decodePng } from '../support/png-decode.ts'
import { randomFrom } from '../support/random.ts'

function grainy(widthPx: number, heightPx: number, noise: number) {
  const random = randomFrom(noise)
  const stride = rowBytes(widthPx, 3)
  const rows = new Uint8Array(stride * heightPx)
  for (let at = 0; at < rows.length; at++)
    rows[at] = at % stride === 0 ? 0 : ((at % stride) >> 2) + Math.floor(at / stride) + random.below(noise)
  return { widthPx, heightPx, channels: 3, rows } as const
}

/** Bytes in the layout of rows, as the decoder gives them. */
function decodedRows(png: Uint8Array, widthPx: number, heightPx: number): Uint8Array {
  const { rgba } = decodePng(png)
  const stride = rowBytes(widthPx, 3)
  const rows = new Uint8Array(stride * heightPx)
  for (let pixel = 0; pixel < widthPx * heightPx; pixel++)
    for (let channel = 0; channel < 3; channel++) {
      const [x, y] = [pixel % widthPx, Math.floor(pixel / widthPx)]
      rows[y * stride + 1 + x * 3 + channel] = rgba[pixel * 4 + channel] ?? 0
    }
  return rows
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
    const rows = decodedRows(png, widthPx, heightPx)
    expect(Buffer.from(rows).equals(picture.rows)).toBe(true)
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
