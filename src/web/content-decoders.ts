import zlib from 'node:zlib'
import { words } from '../lib/words.ts'
import { CheckedDecoder, type CodingFormat, type GzipHeaderReader } from './checked-decoder.ts'
import { FetchFailure } from './fetch-failure.ts'

/** One decoder for each coding of the header, the outermost first. Throws FetchFailure `unsupported_encoding`. */
export function createDecoders(contentEncoding: string | undefined): readonly CheckedDecoder[] {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => !notCompressed.includes(coding))
  const known = codings.flatMap((coding) => formats.get(coding) ?? [])
  // A decoder that holds the memory of one large window must not wait for a second one: that could be a deadlock.
  const largeWindows = known.filter(({ windowBytes }) => windowBytes !== undefined)
  if (known.length < codings.length || codings.length > codingsMax || largeWindows.length > 1)
    throw new FetchFailure('unsupported_encoding')
  return known.reverse().map((format) => new CheckedDecoder(format))
}

/** Brotli and zstd are decoded, not asked for: a sender may choose a window of 16 MiB, so few could be read at once. */
export const acceptEncoding = 'gzip, deflate'

const codingsMax = 2

/** Charsets and transfer encodings that servers send here by mistake. The body is not compressed. */
const notCompressed = ['', ...words('identity none utf-8 utf8 iso-8859-1 binary 8bit 7bit')]

const gzip: CodingFormat = {
  createEngine: () => zlib.createInflateRaw(),
  createHeaderReader: createGzipHeaderReader,
}

const windowLogMax = zlib.constants.ZSTD_d_windowLogMax
const zstd: CodingFormat = {
  createEngine: () => zlib.createZstdDecompress({ params: { [windowLogMax]: zstdWindowBitsMax } }),
  windowBytes: () => 2 ** zstdWindowBitsMax,
  failsAfterEnd: true,
}

const formats: ReadonlyMap<string, CodingFormat> = new Map([
  ['gzip', gzip],
  ['x-gzip', gzip],
  ['br', { createEngine: () => zlib.createBrotliDecompress(), windowBytes: brotliWindowBytes }],
  ['zstd', zstd],
  ['deflate', { createEngine: createInflate }],
])

/** Servers mean both zlib and raw deflate data by `deflate`. */
function createInflate(data: Buffer): zlib.Inflate | zlib.InflateRaw {
  const [first = 0, second = 0] = data
  const isZlibHeader = (first & 0x0f) === 8 && (data.length < 2 || ((first << 8) | second) % 31 === 0)
  return isZlibHeader ? zlib.createInflate() : zlib.createInflateRaw()
}

/** The window of a brotli stream (RFC 7932, 9.1); undefined above 16 MiB. A sender of 51 bytes may ask for 16 MiB. */
export function brotliWindowBytes(data: Uint8Array): number | undefined {
  const [first = 0] = data
  if ((first & 1) === 0) return 2 ** 16
  const high = (first >> 1) & 7
  if (high !== 0) return 2 ** (17 + high)
  const low = (first >> 4) & 7
  // The extension for large windows, up to 1 GiB.
  if (low === 1) return undefined
  return 2 ** (low === 0 ? 17 : 8 + low)
}

/** The largest zstd window on the web (RFC 9659). Each frame of a stream may ask for its own. */
export const zstdWindowBitsMax = 23

function createGzipHeaderReader(): GzipHeaderReader {
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

export type Gunzip = ReturnType<typeof createGunzip>

/** Unpacks a gzip file while it arrives. `take` returns false if it needs no more. */
export function createGunzip(take: (bytes: Uint8Array) => Promise<boolean>) {
  const decoder = new CheckedDecoder(gzip)
  const { stream } = decoder
  async function unpack(): Promise<boolean> {
    for await (const bytes of stream) if (!(await take(bytes))) return true
    return !decoder.isCut()
  }
  const unpacked = unpack().catch(() => false)
  return {
    /** Resolves once there is room for more: with false if no more is needed. */
    write(chunk: Uint8Array): Promise<boolean> {
      const written = new Promise<boolean>((resolve) => stream.write(chunk, (error) => resolve(!error)))
      // A stream that was destroyed does not say what became of its last chunk.
      return Promise.race([written, unpacked.then(() => false)])
    },
    /** Resolves after the last bytes: with false if the file is no gzip or is cut. */
    end(): Promise<boolean> {
      if (!stream.destroyed) stream.end()
      return unpacked
    },
  }
}
