/**
 * Returns the window size of a brotli stream from its first byte (RFC 7932, section 9.1), or undefined for more than the
 * standard's 16 MiB. The sender chooses it: a body of 51 bytes may ask for 16 MiB of memory.
 */
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
  // The extension for large windows, up to 1 GiB.
  if (low === 1) return undefined
  return low === 0 ? 17 : 8 + low
}

/** The largest zstd window on the web (RFC 9659). Each frame of a stream may ask for its own. */
export const zstdWindowBitsMax = 23
