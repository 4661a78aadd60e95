import { Duplex } from 'node:stream'
import type zlib from 'node:zlib'

export interface CodingFormat {
  readonly createEngine: (data: Buffer) => Engine
  /** Memory for the window, by how the data begin. Undefined for more than is allowed. Small windows count as 0. */
  readonly windowBytes?: (data: Buffer) => number | undefined
  /** The engine fails on bytes after the end of its data, because it takes them for more data. */
  readonly failsAfterEnd?: boolean
  readonly members?: { readonly createHeaderReader: () => GzipHeaderReader; readonly trailerBytes: number }
}

/** Reads a gzip header (RFC 1952), each byte once: returns how many bytes belong to it. `endless`: it is too long. */
export type GzipHeaderReader = (bytes: Uint8Array) => number | 'incomplete' | 'foreign' | 'endless'

type Engine = zlib.Inflate | zlib.InflateRaw | zlib.BrotliDecompress | zlib.ZstdDecompress
type Done = () => void

export class CheckedDecoder {
  readonly stream: Duplex
  readonly #format: CodingFormat
  #position: 'header' | 'data' | 'trailer' | 'end'
  #engine: Engine | undefined
  #memory: Reservation | undefined
  #readHeader: GzipHeaderReader
  #headerBytes = 0
  #trailerBytesLeft = 0
  #memberCount = 0
  #isProbing = false
  #isCut = false

  constructor(format: CodingFormat) {
    this.#format = format
    this.#position = format.members === undefined ? 'data' : 'header'
    this.#readHeader = this.#createHeaderReader()
    this.stream = new Duplex({
      read: () => void this.#engine?.resume(),
      write: (chunk: Buffer, _, done) => this.#feed(chunk, done),
      final: (done) => {
        done()
        if (this.#position === 'data' && this.#engine !== undefined) this.#probeForEnd(this.#engine)
        else this.#finish(this.#isInHeader() || (this.#position === 'data' && format.members !== undefined))
      },
      destroy: (error, done) => {
        if (this.#engine === undefined) this.#memory?.release()
        else this.#engine.destroy()
        done(error)
      },
    })
  }

  /** The input ended before the compressed data did. Known once the stream has ended. */
  isCut(): boolean {
    return this.#isCut
  }

  /** The decoder waits for memory that other decoders use. */
  isWaiting(): boolean {
    return this.#memory !== undefined && this.#engine === undefined && this.#position === 'data'
  }

  #createHeaderReader(): GzipHeaderReader {
    return this.#format.members?.createHeaderReader() ?? (() => 0)
  }

  #feed(bytes: Buffer, done: Done): void {
    if (this.#position === 'end' || bytes.length === 0) done()
    else if (this.#position === 'header') this.#skipHeader(bytes, done)
    else if (this.#position === 'trailer') this.#skipTrailer(bytes, done)
    else if (this.#engine === undefined) this.#beginData(bytes, done)
    else this.#decode(this.#engine, bytes, done)
  }

  #skipHeader(bytes: Buffer, done: Done) {
    const skipped = this.#readHeader(bytes)
    if (skipped === 'foreign' && this.#memberCount > 0) {
      this.#position = 'end'
      return done()
    }
    if (skipped === 'foreign' || skipped === 'endless') {
      this.stream.destroy(new Error('The data are not compressed with this coding.'))
      return
    }
    if (skipped === 'incomplete') {
      this.#headerBytes += bytes.length
      return done()
    }
    this.#position = 'data'
    this.#feed(bytes.subarray(skipped), done)
  }

  #beginData(data: Buffer, done: Done) {
    const { windowBytes = () => 0 } = this.#format
    const bytes = windowBytes(data)
    if (bytes === undefined)
      return void this.stream.destroy(new Error('This takes too much memory to decode.'))
    const proceed = () => {
      if (this.stream.destroyed) return
      this.#engine = this.#startEngine(data)
      if (this.#memory !== undefined) this.#engine.once('close', this.#memory.release)
      this.#decode(this.#engine, data, done)
    }
    this.#memberCount += 1
    if (bytes === 0) return proceed()
    this.#memory = decoderMemory.reserve(bytes)
    if (this.#memory.isGranted()) proceed()
    else this.#memory.granted.then(proceed)
  }

  #startEngine(data: Buffer): Engine {
    const engine = this.#format.createEngine(data)
    engine.on('data', (chunk) => {
      if (!this.#isProbing && !this.stream.push(chunk)) engine.pause()
    })
    engine.on('error', (error) => {
      if (this.#isProbing) this.#finish(this.#format.failsAfterEnd !== true)
      else this.stream.destroy(error)
    })
    return engine
  }

  #decode(engine: Engine, bytes: Buffer, done: Done): void {
    const bytesBefore = engine.bytesWritten
    engine.write(bytes, (error) => {
      if (error) return
      const rest = bytes.subarray(engine.bytesWritten - bytesBefore)
      if (rest.length === 0) return done()
      const endMember = () => {
        engine.destroy()
        this.#engine = undefined
        const { members } = this.#format
        this.#position = members === undefined || this.#memberCount >= membersMax ? 'end' : 'trailer'
        this.#trailerBytesLeft = members?.trailerBytes ?? 0
        this.#feed(rest, done)
      }
      if (engine.readableEnded) endMember()
      else engine.once('end', endMember)
    })
  }

  #skipTrailer(bytes: Buffer, done: Done): void {
    const skipped = Math.min(this.#trailerBytesLeft, bytes.length)
    this.#trailerBytesLeft -= skipped
    if (this.#trailerBytesLeft === 0) {
      this.#position = 'header'
      this.#headerBytes = 0
      this.#readHeader = this.#createHeaderReader()
    }
    this.#feed(bytes.subarray(skipped), done)
  }

  /** After the first member one byte may be padding that only looks like the header of another. */
  #isInHeader(): boolean {
    return this.#position === 'header' && this.#headerBytes > (this.#memberCount === 0 ? 0 : 1)
  }

  /** Finds out whether the compressed data are complete: an engine takes another byte only if they are not. */
  #probeForEnd(engine: Engine): void {
    // The engine still holds output, which must not be lost; output of the extra byte must not get out.
    if (engine.readableLength > 0) {
      engine.once('data', () => setImmediate(() => this.#probeForEnd(engine)))
      return
    }
    this.#isProbing = true
    const bytesBefore = engine.bytesWritten
    engine.write(Buffer.alloc(1), (error) => {
      if (!error) this.#finish(engine.bytesWritten > bytesBefore)
    })
  }

  #finish(isCut: boolean): void {
    this.#isCut = isCut
    if (!this.stream.destroyed) this.stream.push(null)
  }
}

/** Block-compressed files have one member for every 64 KiB. */
const membersMax = 256

/** For the large windows of all decoders in this process: four of the largest. */
const decoderMemory = createMemoryBudget(64 * 1_048_576)

type Reservation = ReturnType<ReturnType<typeof createMemoryBudget>['reserve']>

/** Memory that several pieces of work share. A reservation waits in order until there is enough. */
export function createMemoryBudget(bytesMax: number) {
  const queue: { readonly bytes: number; readonly grant: () => void }[] = []
  let bytesUsed = 0

  function grantNext() {
    for (;;) {
      const [first] = queue
      if (first === undefined || bytesUsed + first.bytes > bytesMax) return
      queue.shift()
      bytesUsed += first.bytes
      first.grant()
    }
  }

  return {
    reserve(bytes: number) {
      let state: 'waiting' | 'granted' | 'released' = 'waiting'
      const { promise: granted, resolve } = Promise.withResolvers<void>()
      const waiter = {
        // A larger reservation would never be granted, so it gets the whole budget.
        bytes: Math.min(bytes, bytesMax),
        grant() {
          state = 'granted'
          resolve()
        },
      }
      queue.push(waiter)
      grantNext()
      return {
        /** Resolves when the memory may be used. Never resolves if the reservation is released before. */
        granted,
        isGranted: () => state === 'granted',
        release(): void {
          if (state === 'waiting') queue.splice(queue.indexOf(waiter), 1)
          if (state === 'granted') bytesUsed -= waiter.bytes
          state = 'released'
          grantNext()
        },
      }
    },
  }
}
