/**
 * How much memory a decoder takes, by the window that the compressed data ask for. It is theirs to choose: a body of
 * 51 bytes may ask for 16 MiB.
 */

/** The window of a brotli stream (RFC 7932, 9.1), from its first byte. Undefined for one beyond the standard's 16 MiB. */
export function brotliWindowBytes(data: Uint8Array): number | undefined {
  const [first = 0] = data
  const bits = brotliWindowBits(first)
  return bits === undefined ? undefined : 2 ** bits
}

function brotliWindowBits(first: number): number | undefined {
  if ((first & 1) === 0) return 16
  const high = (first >> 1) & 7
  if (high !== 0) return 17 + high
  const low = (first >> 4) & 7
  // One marks the large windows of an extension, up to 1 GiB.
  if (low === 1) return undefined
  return low === 0 ? 17 : 8 + low
}

/** The most that a sender of zstd may ask of a browser (RFC 9659); each of its frames may ask anew. */
export const zstdWindowBitsMax = 23
