import { LRUCache } from 'lru-cache'
import type { KeptBackground } from './background.ts'
import type { Bitmap } from './bitmap.ts'
import { encodeOverGround } from './encode-over-ground.ts'
import { encodeIndexed } from './encode-png.ts'
import { networkBytesMax } from './encode-within.ts'
import { createGroundStream, type GroundStream, streamBytes } from './ground-stream.ts'
import { quantizeColors } from './quantize-colors.ts'

/** How many colours a palette may have, and about how large its file is beside that of 256 colours. */
const palettes: readonly (readonly [colors: number, size: number])[] = [
  [128, 0.88],
  [64, 0.74],
  [32, 0.56],
  [16, 0.36],
  [8, 0.22],
]

/** Of the latest grounds; those that cannot be small enough are known by it, so that no card tries again. */
const streams = new LRUCache<string, { readonly stream: GroundStream | undefined }>({
  maxSize: 2 ** 20,
  sizeCalculation: ({ stream }, key) => 2 * key.length + (stream ? streamBytes(stream) : 200),
})

/**
 * A PNG of an opaque bitmap with a photograph in it: every pixel where the file is then small enough for networks, else
 * the palette of most colours with which it is. Where even 8 colours are too many bytes, as in a very wide picture, it
 * has 256 and is larger. `ground` is what lies below the words, where that is known: it is encoded once for many cards.
 */
export function encodePhotoPng(bitmap: Bitmap, ground?: KeptBackground): Uint8Array<ArrayBuffer> {
  const stream = ground ? streamOf(bitmap, ground) : createGroundStream(bitmap, networkBytesMax)
  const exact = stream && encodeOverGround(bitmap, ground?.rows ?? bitmap.rows, stream, networkBytesMax)
  return exact ?? encodePalette(bitmap)
}

function streamOf(size: Bitmap, { key, rows }: KeptBackground): GroundStream | undefined {
  const known = streams.get(key)
  if (known) return known.stream
  const stream = createGroundStream({ ...size, rows }, networkBytesMax)
  streams.set(key, { stream })
  return stream
}

function encodePalette(bitmap: Bitmap): Uint8Array<ArrayBuffer> {
  const full = encodeIndexed(bitmap, quantizeColors(bitmap, 256))
  if (full.byteLength <= networkBytesMax) return full
  for (const [colors, size] of palettes) {
    // A tenth less than expected is still worth a try.
    if (full.byteLength * size * 0.9 > networkBytesMax) continue
    const png = encodeIndexed(bitmap, quantizeColors(bitmap, colors))
    if (png.byteLength <= networkBytesMax) return png
  }
  return full
}
