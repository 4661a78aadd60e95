import { Duplex } from 'node:stream'
import type zlib from 'node:zlib'
import type { GzipHeaderReader } from './gzip-header.ts'
import { createMemoryBudget, type Reservation } from './memory-budget.ts'

/** Undoes one content coding, and knows whether all that was compressed has come. */
export interface Decoder {
  readonly stream: Duplex
  /** The bytes ended before the compressed data did. Known once the stream has ended. */
  readonly isCut: () => boolean
  /** Other decoders have all the memory that decoders may have. */
  readonly isWaiting: () => boolean
}

/** The compressed data of a coding, and what stands around them. */
export interface Framing {
  readonly open: (data: Buffer) => Engine
  /** What the engine will hold, by how its data begin; undefined is more than anybody gets. Small windows are not counted. */
  readonly windowBytes?: (data: Buffer) => number | undefined
  /** The engine takes what follows its data for more data, which it cannot read. */
  readonly failsAfterEnd?: boolean
  /** What stands around each member, when there may be several. */
  readonly members?: { readonly createHeaderReader: () => GzipHeaderReader; readonly trailerBytes: number }
}

type Engine = zlib.Inflate | zlib.InflateRaw | zlib.BrotliDecompress | zlib.ZstdDecompress

export function createCheckedDecoder({
  open,
  windowBytes = () => 0,
  failsAfterEnd = false,
  members: framing,
}: Framing): Decoder {
  const { createHeaderReader, trailerBytes } = framing ?? {
    createHeaderReader: () => () => 0,
    trailerBytes: 0,
  }
  let place: 'header' | 'data' | 'trailer' | 'end' = framing === undefined ? 'data' : 'header'
  let engine: Engine | undefined
  let memory: Reservation | undefined
  let readHeader = createHeaderReader()
  let headerBytes = 0
  let trailerBytesLeft = 0
  let members = 0
  let isProbing = false
  let isCut = false

  function start(data: Buffer): Engine {
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

  function begin(data: Buffer, done: () => void) {
    const bytes = windowBytes(data)
    if (bytes === undefined) return void stream.destroy(new Error('This takes too much memory to decode.'))
    function proceed() {
      if (stream.destroyed) return
      engine = start(data)
      if (memory !== undefined) engine.once('close', memory.release)
      decode(engine, data, done)
    }
    members += 1
    if (bytes === 0) return proceed()
    memory = decoderMemory.reserve(bytes)
    if (memory.isGranted()) proceed()
    else memory.granted.then(proceed)
  }

  function decode(current: Engine, bytes: Buffer, done: () => void) {
    const before = current.bytesWritten
    current.write(bytes, (error) => {
      if (error) return
      const rest = bytes.subarray(current.bytesWritten - before)
      if (rest.length === 0) return done()
      function leave() {
        current.destroy()
        engine = undefined
        place = framing === undefined || members >= membersMax ? 'end' : 'trailer'
        trailerBytesLeft = trailerBytes
        feed(rest, done)
      }
      if (current.readableEnded) leave()
      else current.once('end', leave)
    })
  }

  function feed(bytes: Buffer, done: () => void): void {
    if (place === 'end' || bytes.length === 0) done()
    else if (place === 'header') passHeader(bytes, done)
    else if (place === 'trailer') passTrailer(bytes, done)
    else if (engine === undefined) begin(bytes, done)
    else decode(engine, bytes, done)
  }

  function passHeader(bytes: Buffer, done: () => void) {
    const passed = readHeader(bytes)
    if (passed === 'foreign' && members > 0) {
      place = 'end'
      return done()
    }
    if (passed === 'foreign' || passed === 'endless') {
      stream.destroy(new Error('These are no compressed data.'))
      return
    }
    if (passed === null) {
      headerBytes += bytes.length
      return done()
    }
    place = 'data'
    feed(bytes.subarray(passed), done)
  }

  function passTrailer(bytes: Buffer, done: () => void) {
    const passed = Math.min(trailerBytesLeft, bytes.length)
    trailerBytesLeft -= passed
    if (trailerBytesLeft === 0) {
      place = 'header'
      headerBytes = 0
      readHeader = createHeaderReader()
    }
    feed(bytes.subarray(passed), done)
  }

  function isInHeader() {
    return place === 'header' && headerBytes > (members === 0 ? 0 : 1)
  }

  function finish(cut: boolean) {
    isCut = cut
    if (!stream.destroyed) stream.push(null)
  }

  function probe(current: Engine) {
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
      else finish(isInHeader() || (place === 'data' && framing !== undefined))
    },
    destroy(error, done) {
      if (engine === undefined) memory?.release()
      else engine.destroy()
      done(error)
    },
  })
  return {
    stream,
    isCut: () => isCut,
    isWaiting: () => memory !== undefined && engine === undefined && place === 'data',
  }
}

/** Files made of blocks have one for every 64 KiB; more are there to keep us busy. */
const membersMax = 256

/** Of all large windows in this process. Four of the largest fit. */
const decoderMemory = createMemoryBudget(64 * 1_048_576)
