/** A checksum and a length, which browsers ignore as well. */
export const gzipTrailerBytes = 8

/**
 * Reads the header of a gzip member (RFC 1952) as it arrives, each byte once. Answers with the number of bytes that
 * still belong to it, null while there are more to come, `foreign` where it is no gzip, `endless` where it is too long.
 */
export type GzipHeaderReader = (bytes: Uint8Array) => number | null | 'foreign' | 'endless'

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
    return null
  }
}

/** Takes one byte with each step, and returns whether they are a header. */
function* gzipHeader(): Generator<void, boolean, number> {
  if ((yield) !== 0x1f || (yield) !== 0x8b) return false
  yield // the method: there is only one
  const flags = yield
  for (let skipped = 0; skipped < 6; skipped += 1) yield
  if ((flags & extra) !== 0) {
    const [low, high] = [yield, yield]
    for (let skipped = 0; skipped < low + 256 * high; skipped += 1) yield
  }
  for (const text of [name, comment]) if ((flags & text) !== 0) while ((yield) !== 0);
  if ((flags & checksum) !== 0) yield* [undefined, undefined]
  return true
}

const checksum = 2
const extra = 4
const name = 8
const comment = 16
/** Ten bytes and a file's name are usual. An extra field could have 64 KiB; nobody sends one with a page. */
const headerBytesMax = 4_096
