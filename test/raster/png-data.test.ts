import { expect, test } from 'bun:test'
import { inflateSync } from 'node:zlib'
import sharp from 'sharp'
import {
  packedPixels,
  pixelBytes,
  unpacksToItsSize,
} from '../../src/raster/picture-process/convert-picture.ts'

const sizes = [
  [1, 1],
  [2, 3],
  [5, 4],
  [8, 8],
  [9, 17],
  [131, 70],
] as const
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

/** Size of the unpacked data of a PNG. */
function unpackedBytes(png: Buffer): number {
  return inflateSync(packedPixels(png)).length
}

test.each(kinds)(
  'the pixels of a PNG (%s) unpack to what its header says, interlaced or not',
  async (kind) => {
    for (const [widthPx, heightPx] of sizes)
      for (const progressive of [false, true]) {
        const png = await encode(kind, widthPx, heightPx, progressive)
        expect([widthPx, heightPx, progressive, pixelBytes(png)]).toEqual([
          widthPx,
          heightPx,
          progressive,
          unpackedBytes(png),
        ])
        expect(await unpacksToItsSize(png)).toBe(true)
      }
  },
)
