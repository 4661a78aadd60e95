import { Transform } from 'node:stream'
import zlib from 'node:zlib'
import { FetchFailure } from './failure.ts'

/** The streams that undo a Content-Encoding header, in the order that they must be applied. @throws FetchFailure `unsupported_encoding` */
export const createDecoders = (contentEncoding: string | undefined): readonly Transform[] => {
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

/** A stream that is cut short gives what it has instead of an error. */
const LENIENT = { finishFlush: zlib.constants.Z_SYNC_FLUSH }
const LENIENT_BROTLI = { finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH }
const LENIENT_ZSTD = { finishFlush: zlib.constants.ZSTD_e_flush }

const createDecoder = (coding: string): Transform => {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip(LENIENT)
    case 'br':
      return zlib.createBrotliDecompress(LENIENT_BROTLI)
    case 'zstd':
      return zlib.createZstdDecompress(LENIENT_ZSTD)
    case 'deflate':
      return createInflateEither()
    default:
      throw new FetchFailure('unsupported_encoding')
  }
}

/** `deflate` means zlib by the standard and raw deflate by habit: the first byte tells which. */
const createInflateEither = (): Transform => {
  let inflate: zlib.Inflate | zlib.InflateRaw | undefined
  return new Transform({
    transform(chunk: Buffer, _, done) {
      if (inflate === undefined) {
        inflate = isZlibHeader(chunk) ? zlib.createInflate(LENIENT) : zlib.createInflateRaw(LENIENT)
        inflate.on('data', (data) => this.push(data))
        inflate.on('error', (error) => this.destroy(error))
      }
      inflate.write(chunk, () => done())
    },
    flush(done) {
      if (inflate === undefined) return done()
      inflate.once('end', done)
      inflate.end()
    },
    destroy(error, done) {
      inflate?.destroy()
      done(error)
    },
  })
}

const isZlibHeader = (chunk: Buffer): boolean => {
  const [first = 0, second = 0] = chunk
  return (first & 0x0f) === 8 && (chunk.length < 2 || ((first << 8) | second) % 31 === 0)
}
