import { deflateSync, inflateSync, crc32 as nodeCrc32 } from 'node:zlib'

/** Larger pieces are fresh memory each time, smaller ones cost calls. */
const CHUNK_BYTES = 64 * 1024

/**
 * A zlib stream (RFC 1950), as PNG's IDAT wants it. On Bun, `node:zlib` (zlib-ng) is about as fast as
 * libdeflate, whose output needs a checksum of its own, and allocates no buffer of the input's size.
 * @param level 1 (fast) to 9 (small)
 */
export const zlibCompress = (data: Uint8Array, level: number): Uint8Array =>
  deflateSync(data, { level, chunkSize: CHUNK_BYTES })

/** The reverse of `zlibCompress`. */
export const zlibExpand = (stream: Uint8Array): Uint8Array => inflateSync(stream, { chunkSize: CHUNK_BYTES })

export const crc32 = (data: Uint8Array): number => nodeCrc32(data) >>> 0
