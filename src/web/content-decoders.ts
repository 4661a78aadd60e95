import zlib from 'node:zlib'
import { words } from '../lib/words.ts'
import { CheckedDecoder, type CodingFormat } from './checked-decoder.ts'
import { FetchFailure } from './fetch-failure.ts'
import { createGzipHeaderReader, gzipTrailerBytes } from './gzip-header.ts'

/**
 * Returns one decoder for each coding of a Content-Encoding header, the outermost coding first. Throws FetchFailure
 * `unsupported_encoding`.
 */
export function createDecoders(contentEncoding: string | undefined): readonly CheckedDecoder[] {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => !notCompressed.includes(coding))
  if (codings.length > codingsMax) throw new FetchFailure('unsupported_encoding')
  // A decoder that holds the memory of one large window must not wait for a second one: that could be a deadlock.
  if (codings.filter((coding) => largeWindows.has(coding)).length > 1)
    throw new FetchFailure('unsupported_encoding')
  return codings.reverse().map(createDecoder)
}

/**
 * The codings whose decoders take a few kilobytes of memory. Brotli and zstd are decoded as well but not requested: a
 * sender may choose a window of up to 16 MiB, so only a few such bodies can be read at once.
 */
export const acceptEncoding = 'gzip, deflate'

const codingsMax = 2
const largeWindows: ReadonlySet<string> = new Set(['br', 'zstd'])

/** Charsets and transfer encodings that servers send here by mistake. The body is not compressed. */
const notCompressed = ['', ...words('identity none utf-8 utf8 iso-8859-1 binary 8bit 7bit')]

function createDecoder(coding: string): CheckedDecoder {
  const format = formats.get(coding)
  if (format === undefined) throw new FetchFailure('unsupported_encoding')
  return new CheckedDecoder(format)
}

const gzip: CodingFormat = {
  createEngine: () => zlib.createInflateRaw(),
  members: { createHeaderReader: createGzipHeaderReader, trailerBytes: gzipTrailerBytes },
}

const brotli: CodingFormat = {
  createEngine: () => zlib.createBrotliDecompress(),
  windowBytes: brotliWindowBytes,
}

const zstd: CodingFormat = {
  createEngine: () =>
    zlib.createZstdDecompress({
      params: { [zlib.constants.ZSTD_d_windowLogMax]: zstdWindowBitsMax },
    }),
  windowBytes: () => 2 ** zstdWindowBitsMax,
  failsAfterEnd: true,
}

const formats: ReadonlyMap<string, CodingFormat> = new Map([
  ['gzip', gzip],
  ['x-gzip', gzip],
  ['br', brotli],
  ['zstd', zstd],
  ['deflate', { createEngine: createInflate }],
])

/** Servers mean both zlib and raw deflate data by `deflate`. */
function createInflate(data: Buffer): zlib.Inflate | zlib.InflateRaw {
  return isZlibHeader(data) ? zlib.createInflate() : zlib.createInflateRaw()
}

function isZlibHeader(chunk: Buffer): boolean {
  const [first = 0, second = 0] = chunk
  return (first & 0x0f) === 8 && (chunk.length < 2 || ((first << 8) | second) % 31 === 0)
}

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
