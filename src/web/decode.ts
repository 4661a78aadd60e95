import zlib from 'node:zlib'
import { createCheckedDecoder, type Decoder, type Framing } from './checked-decoder.ts'
import { FetchFailure } from './failure.ts'
import { GZIP_MAGIC, GZIP_TRAILER_BYTES, gzipHeaderBytes } from './gzip-header.ts'

/** The streams that undo a Content-Encoding header, in the order that they must be applied. @throws FetchFailure `unsupported_encoding` */
export const createDecoders = (contentEncoding: string | undefined): readonly Decoder[] => {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => !NO_CODING.has(coding))
  if (codings.length > CODINGS_MAX) throw new FetchFailure('unsupported_encoding')
  return codings.reverse().map(createDecoder)
}

export const ACCEPT_ENCODING = 'gzip, br, zstd, deflate'

const CODINGS_MAX = 2

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
      return createCheckedDecoder({ open: () => zlib.createBrotliDecompress() })
    case 'zstd':
      return createCheckedDecoder({ open: () => zlib.createZstdDecompress(), failsAfterEnd: true })
    case 'deflate':
      return createCheckedDecoder({ open: inflateEither })
    default:
      throw new FetchFailure('unsupported_encoding')
  }
}

const GZIP: Framing = {
  headerBytes: gzipHeaderBytes,
  open: () => zlib.createInflateRaw(),
  trailer: { bytes: GZIP_TRAILER_BYTES, nextMagic: GZIP_MAGIC },
}

/** `deflate` means zlib by the standard and raw deflate by habit: the first byte tells which. */
const inflateEither = (data: Buffer): zlib.Inflate | zlib.InflateRaw =>
  isZlibHeader(data) ? zlib.createInflate() : zlib.createInflateRaw()

const isZlibHeader = (chunk: Buffer): boolean => {
  const [first = 0, second = 0] = chunk
  return (first & 0x0f) === 8 && (chunk.length < 2 || ((first << 8) | second) % 31 === 0)
}
