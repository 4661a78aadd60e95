import { LRUCache } from 'lru-cache'
import type { KeptBackground } from './background.ts'
import type { Bitmap } from './bitmap.ts'
import { rasterCacheBytes } from './cache-bytes.ts'
import { encodeOverGround } from './encode-over-ground.ts'
import { encodePalettePng } from './encode-palette-png.ts'
import { networkBytesMax } from './encode-within.ts'
import { createGroundStream, type GroundStream, streamBytes } from './ground-stream.ts'

/** Of the latest grounds; those that cannot be small enough are known by it, so that no card tries again. */
const streams = new LRUCache<string, { readonly stream: GroundStream | undefined }>({
  maxSize: rasterCacheBytes.encodedPhotographs,
  sizeCalculation: ({ stream }, key) => 2 * key.length + (stream ? streamBytes(stream) : 200),
})

/** A bitmap with a photograph in it. */
export interface PhotoGround {
  /** What lies below its words, where that is kept: it is encoded once for many cards. */
  readonly kept?: KeptBackground
  /** Paints the same again over a ground whose pixels are cells of so many. */
  readonly repaint: (cellPx: number) => Bitmap
}

/**
 * A PNG of an opaque bitmap with a photograph in it: every pixel where the file is then small enough for networks, else
 * the palette of most colours with which it is, at last over a coarser ground.
 */
export function encodePhotoPng(bitmap: Bitmap, { kept, repaint }: PhotoGround): Uint8Array<ArrayBuffer> {
  const stream = kept ? streamOf(bitmap, kept) : createGroundStream(bitmap, networkBytesMax)
  const exact = stream && encodeOverGround(bitmap, kept?.rows ?? bitmap.rows, stream, networkBytesMax)
  return exact ?? encodePalettePng(bitmap, networkBytesMax, repaint)
}

function streamOf(size: Bitmap, { key, rows }: KeptBackground): GroundStream | undefined {
  const known = streams.get(key)
  if (known) return known.stream
  const stream = createGroundStream({ ...size, rows }, networkBytesMax)
  streams.set(key, { stream })
  return stream
}
