import { Buffer } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createInflate } from 'node:zlib'
import startLibwebp from '@jsquash/webp/codec/dec/webp_dec.js'
import { renderAsync } from '@resvg/resvg-js'
import { packageFile } from '../../lib/package-files.ts'
import type { PixelSize, Pixels } from '../bitmap.ts'
import { webpDecoderFile } from '../codec-files.ts'
import { pictureSvg, resvgOptions } from '../draw-svg.ts'
import type { EncodedPicture } from './picture-messages.ts'

/**
 * The pixels of a file whose header was checked, as they are stored; undefined where it cannot be decoded. A size that
 * is asked for may be had from the decoder: what comes is that size or larger.
 */
export async function decodePicture(
  picture: EncodedPicture,
  wanted: PixelSize = picture,
): Promise<Pixels | undefined> {
  const { type, widthPx, heightPx, base64 } = picture
  if (type === 'webp') {
    const pixels = await decodeWebp(Buffer.from(base64, 'base64'))
    return pixels?.widthPx === widthPx && pixels.heightPx === heightPx ? pixels : undefined
  }
  if (type === 'png' && !(await unpacksToItsSize(Buffer.from(base64, 'base64')))) return undefined
  // Its filter reaches over four pixels: for less than half of the size it would leave some out.
  const times = wanted.widthPx * 2 <= widthPx ? 2 : 1
  const size = {
    widthPx: Math.min(widthPx, wanted.widthPx * times),
    heightPx: Math.min(heightPx, wanted.heightPx * times),
  }
  // Another size than the header's would be drawn scaled: the box is filled whatever the decoder finds.
  const ratio = type === 'svg+xml' ? 'xMidYMid' : 'none'
  const svg = pictureSvg(`data:image/${type};base64,${base64}`, size, ratio)
  const drawn = await renderAsync(svg, resvgOptions())
  // Each read of `pixels` copies them.
  return { widthPx: drawn.width, heightPx: drawn.height, rgba: drawn.pixels }
}

/** libwebp runs where it is called: what it takes is bounded by the size in the header, and by who waits for the process. */
async function decodeWebp(bytes: Uint8Array): Promise<Pixels | undefined> {
  const { packageName, file } = webpDecoderFile
  const library = await startLibwebp({
    noInitialRun: true,
    wasmBinary: readFileSync(packageFile(packageName, file)),
  })
  const image = library.decode(bytes)
  if (!image) return undefined
  const rgba = new Uint8Array(image.data.buffer, image.data.byteOffset, image.data.byteLength)
  premultiply(rgba)
  return { widthPx: image.width, heightPx: image.height, rgba }
}

function premultiply(rgba: Uint8Array): void {
  for (let at = 0; at < rgba.length; at += 4) {
    const alpha = rgba[at + 3] as number
    if (alpha === 255) continue
    for (let channel = at; channel < at + 3; channel++)
      rgba[channel] = Math.round(((rgba[channel] as number) * alpha) / 255)
  }
}

const channelsOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
/** First column and row, and the distance to the next ones, of each pass of an interlaced picture. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const
/** Writers that close their last row or block carelessly leave so much behind. */
const slackBytes = 65_536
const headerAt = 16

/**
 * Whether the pixels of a PNG unpack to no more than its size needs. Decoders stop there, so what follows would only be
 * carried along. What is no valid deflate is left to the decoder.
 * @param bytes a whole PNG whose header was read by `readPngHeader`
 */
export async function unpacksToItsSize(bytes: Uint8Array): Promise<boolean> {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const bytesMax = pixelBytes(data) + slackBytes
  let unpacked = 0
  async function count(pieces: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const piece of pieces) {
      unpacked += piece.byteLength
      // Leaving the loop ends the inflating too.
      if (unpacked > bytesMax) return
    }
  }
  await pipeline([packedPixels(data)], createInflate(), count).catch(() => undefined)
  return unpacked <= bytesMax
}

/** The data of all its chunks in one piece, because a file may have tens of thousands of chunks of one byte. */
export function packedPixels(png: Buffer): Buffer {
  const pieces: Buffer[] = []
  for (let at = 8; at + 8 <= png.length; ) {
    const end = at + 8 + png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') pieces.push(png.subarray(at + 8, end))
    at = end + 4
  }
  return Buffer.concat(pieces)
}

/** How many bytes the rows of all passes have, each with that of its filter. */
export function pixelBytes(data: Buffer): number {
  const [widthPx, heightPx] = [data.readUInt32BE(headerAt), data.readUInt32BE(headerAt + 4)]
  const [depth = 8, colors = 6, , , interlace] = data.subarray(headerAt + 8, headerAt + 13)
  const pixelBits = depth * (channelsOf[colors] ?? 4)
  let total = 0
  for (const [x, y, stepX, stepY] of interlace === 1 ? passes : [[0, 0, 1, 1] as const]) {
    const columns = Math.ceil((widthPx - x) / stepX)
    const rows = Math.ceil((heightPx - y) / stepY)
    if (columns > 0 && rows > 0) total += rows * (1 + Math.ceil((columns * pixelBits) / 8))
  }
  return total
}
