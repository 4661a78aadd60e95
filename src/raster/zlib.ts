import { constants, deflateSync, inflateSync } from 'node:zlib'

/** Larger pieces are fresh memory each time, smaller ones cost calls. */
const chunkBytes = 64 * 1024

export function zlibCompress(data: Uint8Array, level: number): Uint8Array {
  return deflateSync(data, { level, chunkSize: chunkBytes })
}

/** Packs by frequencies alone: for the small differences of neighbouring pixels, where repeats are rare. */
export function zlibCompressFrequencies(data: Uint8Array): Uint8Array {
  return deflateSync(data, { level: 1, strategy: constants.Z_HUFFMAN_ONLY, chunkSize: chunkBytes })
}

export function zlibExpand(stream: Uint8Array): Uint8Array {
  return inflateSync(stream, { chunkSize: chunkBytes })
}
