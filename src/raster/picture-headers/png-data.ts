import { Buffer } from 'node:buffer'
import { pipeline } from 'node:stream/promises'
import { createInflate } from 'node:zlib'

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
