/** Checksum and length. Browsers do not check them either. */
export const gzipTrailerBytes = 8

/**
 * Reads the header of a gzip member (RFC 1952) as it arrives, each byte once. Returns how many of these bytes belong to
 * it once it is complete, before that `incomplete`; `foreign` for other data, `endless` for a header that is too long.
 */
export type GzipHeaderReader = (bytes: Uint8Array) => number | 'incomplete' | 'foreign' | 'endless'

export function createGzipHeaderReader(): GzipHeaderReader {
  const header = gzipHeader()
  header.next()
  let bytesRead = 0
  return (bytes) => {
    for (const [index, byte] of bytes.entries()) {
      const { done, value } = header.next(byte)
      if (done === true) return value ? index + 1 : 'foreign'
      bytesRead += 1
      if (bytesRead >= headerBytesMax) return 'endless'
    }
    return 'incomplete'
  }
}

/** Takes one byte with each step. Returns whether they are a gzip header. */
function* gzipHeader(): Generator<void, boolean, number> {
  if ((yield) !== 0x1f || (yield) !== 0x8b) return false
  yield // compression method: deflate is the only one
  const flags = yield
  for (let skipped = 0; skipped < 6; skipped += 1) yield
  if ((flags & extraFlag) !== 0) {
    const [low, high] = [yield, yield]
    for (let skipped = 0; skipped < low + 256 * high; skipped += 1) yield
  }
  for (const text of [nameFlag, commentFlag]) if ((flags & text) !== 0) while ((yield) !== 0);
  if ((flags & checksumFlag) !== 0) yield* [undefined, undefined]
  return true
}

const checksumFlag = 2
const extraFlag = 4
const nameFlag = 8
const commentFlag = 16
/** Ten bytes and a file name are usual. The standard allows an extra field of 64 KiB, which no web server sends. */
const headerBytesMax = 4_096
