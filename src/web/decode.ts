import zlib from 'node:zlib'
import { createCheckedDecoder, type Decoder, type Framing } from './checked-decoder.ts'
import { brotliWindowBytes, ZSTD_WINDOW_BITS_MAX } from './compression-window.ts'
import { FetchFailure } from './failure.ts'
import { createGzipHeaderReader, GZIP_TRAILER_BYTES } from './gzip-header.ts'

/** The streams that undo a Content-Encoding header, in the order that they must be applied. @throws FetchFailure `unsupported_encoding` */
export const createDecoders = (contentEncoding: string | undefined): readonly Decoder[] => {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => !NO_CODING.has(coding))
  if (codings.length > CODINGS_MAX) throw new FetchFailure('unsupported_encoding')
  // Who holds the memory of one large window must not wait for that of another.
  if (codings.filter((coding) => LARGE_WINDOWS.has(coding)).length > 1)
    throw new FetchFailure('unsupported_encoding')
  return codings.reverse().map(createDecoder)
}

/**
 * The codings whose decoder takes a few kilobytes. Brotli and zstd are read as well, but not asked for: a sender may
 * make their windows as large as 16 MiB, so that only a few can be read at once.
 */
export const ACCEPT_ENCODING = 'gzip, deflate'

const CODINGS_MAX = 2
const LARGE_WINDOWS: ReadonlySet<string> = new Set(['br', 'zstd'])

/** Words that servers put there by mistake: they describe the text, not a compression. */
const NO_CODING: ReadonlySet<string> = new Set([
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

const createDecoder = (coding: string): Decoder => {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createCheckedDecoder(GZIP)
    case 'br':
      return createCheckedDecoder(BROTLI)
    case 'zstd':
      return createCheckedDecoder(ZSTD)
    case 'deflate':
      return createCheckedDecoder({ open: inflateEither })
    default:
      throw new FetchFailure('unsupported_encoding')
  }
}

const GZIP: Framing = {
  open: () => zlib.createInflateRaw(),
  members: { createHeaderReader: createGzipHeaderReader, trailerBytes: GZIP_TRAILER_BYTES },
}

const BROTLI: Framing = { open: () => zlib.createBrotliDecompress(), windowBytes: brotliWindowBytes }

const ZSTD: Framing = {
  open: () =>
    zlib.createZstdDecompress({
      params: { [zlib.constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_BITS_MAX },
    }),
  windowBytes: () => 2 ** ZSTD_WINDOW_BITS_MAX,
  failsAfterEnd: true,
}

/** `deflate` means zlib by the standard and raw deflate by habit: the first byte tells which. */
const inflateEither = (data: Buffer): zlib.Inflate | zlib.InflateRaw =>
  isZlibHeader(data) ? zlib.createInflate() : zlib.createInflateRaw()

const isZlibHeader = (chunk: Buffer): boolean => {
  const [first = 0, second = 0] = chunk
  return (first & 0x0f) === 8 && (chunk.length < 2 || ((first << 8) | second) % 31 === 0)
}
