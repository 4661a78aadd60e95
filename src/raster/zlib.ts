import { deflateSync, inflateSync } from 'node:zlib'

/** Larger pieces are fresh memory each time, smaller ones cost calls. */
const chunkBytes = 64 * 1024

export function zlibCompress(data: Uint8Array, level: number): Uint8Array {
  return deflateSync(data, { level, chunkSize: chunkBytes })
}

export function zlibExpand(stream: Uint8Array): Uint8Array {
  return inflateSync(stream, { chunkSize: chunkBytes })
}
