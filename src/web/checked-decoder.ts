import { Duplex } from 'node:stream'
import type zlib from 'node:zlib'

export interface CodingFormat {
  readonly createEngine: (data: Buffer) => Engine
  /** Memory for the window, by how the data begin. Undefined for more than is allowed. Small windows count as 0. */
  readonly windowBytes?: (data: Buffer) => number | undefined
  /** The engine fails on bytes after the end of its data, because it takes them for more data. */
  readonly failsAfterEnd?: boolean
  /** The data are gzip members: each has a header, and a trailer of eight bytes. */
  readonly createHeaderReader?: () => GzipHeaderReader
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
  #readHeader: GzipHeaderReader | undefined
  #headerBytes = 0
  #trailerBytesLeft = 0
  #memberCount = 0
  #isProbing = false
  #isCut = false

  constructor(format: CodingFormat) {
    this.#format = format
    this.#readHeader = format.createHeaderReader?.()
    this.#position = this.#readHeader === undefined ? 'data' : 'header'
    this.stream = new Duplex({
      read: () => void this.#engine?.resume(),
      write: (chunk: Buffer, _, done) => this.#feed(chunk, done),
      final: (done) => {
        done()
        if (this.#position === 'data' && this.#engine !== undefined) this.#probeForEnd(this.#engine)
        else this.#finish(this.#isInHeader() || (this.#position === 'data' && this.#readHeader !== undefined))
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

  #feed(bytes: Buffer, done: Done): void {
    if (this.#position === 'end' || bytes.length === 0) done()
    else if (this.#position === 'header') this.#skipHeader(bytes, done)
    else if (this.#position === 'trailer') this.#skipTrailer(bytes, done)
    else if (this.#engine === undefined) this.#beginData(bytes, done)
    else this.#decode(this.#engine, bytes, done)
  }

  #skipHeader(bytes: Buffer, done: Done) {
    const skipped = this.#readHeader?.(bytes) ?? 0
    if (skipped === 'foreign' && this.#memberCount > 0) {
      this.#position = 'end'
      return done()
    }
    if (skipped === 'foreign' || skipped === 'endless')
      return void this.stream.destroy(new Error('The data are not compressed with this coding.'))
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
    this.#memory.granted.then(proceed)
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
        const isLast = this.#readHeader === undefined || this.#memberCount >= membersMax
        this.#position = isLast ? 'end' : 'trailer'
        this.#trailerBytesLeft = trailerBytes
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
      this.#readHeader = this.#format.createHeaderReader?.()
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

const trailerBytes = 8
/** Block-compressed files have one member for every 64 KiB. */
const membersMax = 256

/** For the large windows of all decoders in this process: four of the largest. */
const decoderMemory = createMemoryBudget(64 * 1_048_576)

type Reservation = ReturnType<ReturnType<typeof createMemoryBudget>['reserve']>

/** Memory that several pieces of work share. A reservation waits in order until there is enough. */
export function createMemoryBudget(bytesMax: number) {
  /** Reservations that are not released, in order: those that are granted, then those that wait. */
  const reservations = new Set<{ readonly bytes: number; readonly grant: () => void }>()

  function grantNext() {
    let bytesUsed = 0
    for (const { bytes, grant } of reservations) {
      bytesUsed += bytes
      if (bytesUsed > bytesMax) return
      grant()
    }
  }

  return {
    reserve(bytes: number) {
      const { promise: granted, resolve: grant } = Promise.withResolvers<void>()
      // A larger reservation would never be granted, so it gets the whole budget.
      const reservation = { bytes: Math.min(bytes, bytesMax), grant }
      reservations.add(reservation)
      grantNext()
      return {
        /** Resolves when the memory may be used. Never resolves if the reservation is released before. */
        granted,
        release(): void {
          reservations.delete(reservation)
          grantNext()
        },
      }
    },
  }
}
