import zlib from 'node:zlib'
import { type CodingFormat, createCheckedDecoder, type Decoder } from './checked-decoder.ts'
import { brotliWindowBytes, zstdWindowBitsMax } from './compression-window.ts'
import { FetchFailure } from './fetch-failure.ts'
import { createGzipHeaderReader, gzipTrailerBytes } from './gzip-header.ts'

/**
 * Returns one decoder for each coding of a Content-Encoding header, the outermost coding first. Throws FetchFailure
 * `unsupported_encoding`.
 */
export function createDecoders(contentEncoding: string | undefined): readonly Decoder[] {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => !notCompressed.has(coding))
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
const notCompressed: ReadonlySet<string> = new Set([
  '',
  'identity',
  'none',
  'utf-8',
  'utf8',
  'iso-8859-1',
  'binary',
  '8bit',
  '7bit',
])

function createDecoder(coding: string): Decoder {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createCheckedDecoder(gzip)
    case 'br':
      return createCheckedDecoder(brotli)
    case 'zstd':
      return createCheckedDecoder(zstd)
    case 'deflate':
      return createCheckedDecoder({ createEngine: createInflate })
    default:
      throw new FetchFailure('unsupported_encoding')
  }
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

/** Servers mean both zlib and raw deflate data by `deflate`. */
function createInflate(data: Buffer): zlib.Inflate | zlib.InflateRaw {
  return isZlibHeader(data) ? zlib.createInflate() : zlib.createInflateRaw()
}

function isZlibHeader(chunk: Buffer): boolean {
  const [first = 0, second = 0] = chunk
  return (first & 0x0f) === 8 && (chunk.length < 2 || ((first << 8) | second) % 31 === 0)
}
