import { Duplex } from 'node:stream'
import type zlib from 'node:zlib'

/** Undoes one content coding, and knows whether all that was compressed has come. */
export interface Decoder {
  readonly stream: Duplex
  /** The bytes ended before the compressed data did. Known once the stream has ended. */
  readonly isCut: () => boolean
}

/** The compressed data of a coding, and what stands around them. */
export interface Framing {
  readonly open: (data: Buffer) => Engine
  /** The engine takes what follows its data for more data, which it cannot read. */
  readonly failsAfterEnd?: boolean
  /** How many bytes stand before the data; null while they are not all there, `none` where there can be no data. */
  readonly headerBytes?: (bytes: Buffer) => number | null | 'none'
  /** What stands after the data when more may follow, and how that begins. */
  readonly trailer?: { readonly bytes: number; readonly nextMagic: number }
}

type Engine = zlib.Inflate | zlib.InflateRaw | zlib.BrotliDecompress | zlib.ZstdDecompress

/**
 * What follows the data is ignored, as browsers do. Not every engine of every runtime tells that its data were cut;
 * but an engine takes one more byte only as long as it misses some.
 */
export const createCheckedDecoder = ({
  open,
  failsAfterEnd = false,
  headerBytes = () => 0,
  trailer,
}: Framing): Decoder => {
  let place: 'header' | 'data' | 'trailer' | 'end' = 'header'
  let engine: Engine | undefined
  let held: Buffer = Buffer.alloc(0)
  let members = 0
  let isProbing = false
  let isCut = false

  const start = (data: Buffer): Engine => {
    const started = open(data)
    started.on('data', (piece) => {
      if (!isProbing && !stream.push(piece)) started.pause()
    })
    started.on('error', (error) => {
      if (isProbing) finish(!failsAfterEnd)
      else stream.destroy(error)
    })
    return started
  }

  const decode = (current: Engine, bytes: Buffer, done: () => void) => {
    const before = current.bytesWritten
    current.write(bytes, (error) => {
      if (error) return
      const rest = bytes.subarray(current.bytesWritten - before)
      if (rest.length === 0) return done()
      const leave = () => {
        current.destroy()
        place = trailer === undefined || members >= MEMBERS_MAX ? 'end' : 'trailer'
        feed(rest, done)
      }
      if (current.readableEnded) leave()
      else current.once('end', leave)
    })
  }

  const feed = (bytes: Buffer, done: () => void): void => {
    if (place === 'data' && engine !== undefined && bytes.length > 0) decode(engine, bytes, done)
    else if (place === 'end' || bytes.length === 0) done()
    else pass(bytes, done)
  }

  /** Leaves what stands around the data behind. */
  const pass = (bytes: Buffer, done: () => void) => {
    held = Buffer.concat([held, bytes])
    const skipped = place === 'header' ? headerBytes(held) : trailerBytes(held)
    if (skipped === 'none') {
      stream.destroy(new Error('These are no compressed data.'))
      return
    }
    if (skipped === null) {
      done()
      return
    }
    const rest = held.subarray(skipped)
    held = Buffer.alloc(0)
    if (place === 'header') {
      place = 'data'
      members += 1
      engine = start(rest)
    } else {
      place = rest.length >= 2 && rest.readUInt16BE() === trailer?.nextMagic ? 'header' : 'end'
    }
    feed(rest, done)
  }

  const trailerBytes = (bytes: Buffer): number | null => {
    const skipped = trailer?.bytes ?? 0
    return bytes.length < skipped + 2 ? null : skipped
  }

  const finish = (cut: boolean) => {
    isCut = cut
    if (!stream.destroyed) stream.push(null)
  }

  const probe = (current: Engine) => {
    // What it holds is data; what it makes of the next byte is not.
    if (current.readableLength > 0) {
      current.once('data', () => setImmediate(probe, current))
      return
    }
    isProbing = true
    const before = current.bytesWritten
    current.write(Buffer.alloc(1), (error) => {
      if (!error) finish(current.bytesWritten > before)
    })
  }

  const stream: Duplex = new Duplex({
    read: () => void engine?.resume(),
    write: (chunk: Buffer, _, done) => feed(chunk, done),
    final(done) {
      done()
      if (place === 'data' && engine !== undefined) probe(engine)
      else finish(place === 'header' && held.length > 0)
    },
    destroy(error, done) {
      engine?.destroy()
      done(error)
    },
  })
  return { stream, isCut: () => isCut }
}

/** Files made of blocks have one for every 64 KiB; more are there to keep us busy. */
const MEMBERS_MAX = 256
