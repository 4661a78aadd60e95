import zlib from 'node:zlib'
import { createCheckedDecoder, type Decoder, type Framing } from './checked-decoder.ts'
import { brotliWindowBytes, zstdWindowBitsMax } from './compression-window.ts'
import { FetchFailure } from './fetch-failure.ts'
import { createGzipHeaderReader, gzipTrailerBytes } from './gzip-header.ts'

export function createDecoders(contentEncoding: string | undefined): readonly Decoder[] {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => !noCoding.has(coding))
  if (codings.length > codingsMax) throw new FetchFailure('unsupported_encoding')
  // Who holds the memory of one large window must not wait for that of another.
  if (codings.filter((coding) => largeWindows.has(coding)).length > 1)
    throw new FetchFailure('unsupported_encoding')
  return codings.reverse().map(createDecoder)
}

/**
 * The codings whose decoder takes a few kilobytes. Brotli and zstd are read as well, but not asked for: a sender may
 * make their windows as large as 16 MiB, so that only a few can be read at once.
 */
export const acceptEncoding = 'gzip, deflate'

const codingsMax = 2
const largeWindows: ReadonlySet<string> = new Set(['br', 'zstd'])

/** Words that servers put there by mistake: they describe the text, not a compression. */
const noCoding: ReadonlySet<string> = new Set([
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
      return createCheckedDecoder({ open: inflateEither })
    default:
      throw new FetchFailure('unsupported_encoding')
  }
}

const gzip: Framing = {
  open: () => zlib.createInflateRaw(),
  members: { createHeaderReader: createGzipHeaderReader, trailerBytes: gzipTrailerBytes },
}

const brotli: Framing = { open: () => zlib.createBrotliDecompress(), windowBytes: brotliWindowBytes }

const zstd: Framing = {
  open: () =>
    zlib.createZstdDecompress({
      params: { [zlib.constants.ZSTD_d_windowLogMax]: zstdWindowBitsMax },
    }),
  windowBytes: () => 2 ** zstdWindowBitsMax,
  failsAfterEnd: true,
}

function inflateEither(data: Buffer): zlib.Inflate | zlib.InflateRaw {
  return isZlibHeader(data) ? zlib.createInflate() : zlib.createInflateRaw()
}

function isZlibHeader(chunk: Buffer): boolean {
  const [first = 0, second = 0] = chunk
  return (first & 0x0f) === 8 && (chunk.length < 2 || ((first << 8) | second) % 31 === 0)
}
