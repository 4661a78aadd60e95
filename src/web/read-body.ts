import { type Duplex, type Readable, Transform } from 'node:stream'
import { awakeNowMs } from '../lib/clock.ts'
import type { CheckedDecoder } from './checked-decoder.ts'
import type { HopLimits } from './connect.ts'
import { createDecoders } from './content-decoders.ts'
import { type FailureReason, FetchFailure } from './fetch-failure.ts'
import type { PendingResponse } from './hop.ts'

export interface BodySink {
  /** Returns false if no more is needed. The next chunk waits for the result. */
  write(chunk: Uint8Array): boolean | Promise<boolean>
  /** The part received so far is worth an answer if the site goes silent. */
  isUseful(): boolean
}

export interface BodyResult {
  /** A limit was reached or the connection broke before the end of the body. */
  readonly truncated: boolean
  /** There was more on the wire than may be read. */
  readonly isCut: boolean
  readonly wireBytes: number
  readonly decodedBytes: number
  /** Time in which the site waited for us, because we were reading what had arrived. */
  readonly ownMs: number
}

export class BodyReader {
  readonly #result = Promise.withResolvers<BodyResult>()
  readonly #pending: PendingResponse
  readonly #sink: BodySink
  readonly #limits: HopLimits
  readonly #decoders: readonly CheckedDecoder[]
  readonly #decoded: Readable
  #first: Duplex | undefined
  #watchdog: ReturnType<typeof setInterval> | undefined
  #wireBytes = 0
  #wireChunks = 0
  #decodedBytes = 0
  #decodedChunks = 0
  #broken: FailureReason | undefined
  #isCut = false
  #isSettled = false
  #isSinkBusy = false
  #lookedAt = awakeNowMs()
  #progressAt = this.#lookedAt
  #ownMs = 0
  #bytesAtProgress: number

  constructor(pending: PendingResponse, sink: BodySink, limits: HopLimits) {
    const { response, socket } = pending
    this.#decoders = createDecoders(response.headers['content-encoding'])
    this.#first = this.#decoders[0]?.stream
    this.#pending = pending
    this.#sink = sink
    this.#limits = limits
    this.#bytesAtProgress = socket.bytesRead
    this.#decoded = this.#decoders.reduce<Readable>((from, { stream }) => from.pipe(stream), this.#wire())
  }

  /** Decodes the body into the sink, and closes the connection. Rejects with FetchFailure, or with what the sink throws. */
  read(): Promise<BodyResult> {
    const { response, broken } = this.#pending
    this.#watchdog = setInterval(() => this.#watch(), watchdogMs)
    response.on('data', (chunk: Uint8Array) => this.#countWireChunk(chunk))
    broken.then((reason) => this.#breakOff(reason))
    for (const { stream } of this.#decoders) stream.on('error', () => this.#settleBroken('decode_error'))
    this.#decoded.on('data', (chunk: Uint8Array) => {
      try {
        this.#passToSink(chunk)
      } catch (failure) {
        this.#settle({ failure })
      }
    })
    this.#decoded.on('end', () => this.#finish())
    return this.#result.promise
  }

  /** Returns the body as it comes over the wire, cut at the same byte on every machine. */
  #wire(): Readable {
    const { response } = this.#pending
    const { wireBytes } = this.#limits
    if (wireBytes === Number.POSITIVE_INFINITY) return response
    let bytesLeft = wireBytes
    const cut = new Transform({
      transform: (chunk: Buffer, _, done) => {
        cut.push(chunk.subarray(0, bytesLeft))
        bytesLeft -= chunk.length
        if (bytesLeft < 0) {
          this.#isCut = true
          response.unpipe(cut)
          response.pause()
          cut.end()
        }
        done()
      },
    })
    this.#first = cut
    return response.pipe(cut)
  }

  #settle(outcome: { readonly truncated: boolean } | { readonly failure: unknown }): void {
    if (this.#isSettled) return
    this.#isSettled = true
    clearInterval(this.#watchdog)
    for (const { stream } of this.#decoders) stream.destroy()
    this.#pending.response.destroy()
    this.#pending.socket.destroy()
    if ('failure' in outcome) this.#result.reject(outcome.failure)
    else
      this.#result.resolve({
        truncated: outcome.truncated,
        isCut: this.#isCut,
        wireBytes: this.#wireBytes,
        decodedBytes: this.#decodedBytes,
        ownMs: this.#ownMs,
      })
  }

  #settleBroken(reason: FailureReason): void {
    const isEnough = reason.startsWith('timeout_') ? this.#sink.isUseful() : this.#decodedBytes > 0
    if (isEnough && reason !== 'headers_too_large') this.#settle({ truncated: true })
    else this.#settle({ failure: new FetchFailure(reason) })
  }

  #breakOff(reason: FailureReason): void {
    if (!this.#pending.response.complete) this.#endEarly(reason)
  }

  /** Lets the decoders emit what they hold before the result is settled. */
  #endEarly(reason: FailureReason): void {
    if (this.#isSettled || this.#broken !== undefined) return
    this.#broken = reason
    setImmediate(() => (this.#first === undefined ? this.#finish() : this.#first.end()))
  }

  #finish(): void {
    if (this.#isSinkBusy) return
    if (this.#broken !== undefined) this.#settleBroken(this.#broken)
    else if (this.#isCut) this.#settle({ truncated: true })
    else if (this.#decoders.some((decoder) => decoder.isCut())) this.#settleBroken('decode_error')
    else this.#settle({ truncated: false })
  }

  #passToSink(chunk: Uint8Array) {
    if (this.#isSettled) return
    const bytesLeft = this.#limits.bodyBytes - this.#decodedBytes
    const allowed = chunk.length > bytesLeft ? chunk.subarray(0, bytesLeft) : chunk
    this.#decodedChunks += 1
    const isFull = allowed.length < chunk.length || this.#decodedChunks > chunksMax
    this.#decodedBytes += allowed.length
    const wantsMore = this.#sink.write(allowed)
    if (typeof wantsMore === 'boolean') return this.#proceed(wantsMore, isFull)
    this.#isSinkBusy = true
    this.#decoded.pause()
    wantsMore
      .then((more) => {
        this.#isSinkBusy = false
        this.#proceed(more, isFull)
        if (this.#decoded.readableEnded || this.#broken !== undefined) this.#finish()
        else this.#decoded.resume()
      })
      .catch((failure: unknown) => this.#settle({ failure }))
  }

  #proceed(wantsMore: boolean, isFull: boolean): void {
    this.#progressAt = awakeNowMs()
    if (!wantsMore) this.#settle({ truncated: false })
    else if (isFull) this.#settle({ truncated: true })
  }

  #countWireChunk(chunk: Uint8Array): void {
    const { response, socket } = this.#pending
    this.#wireBytes += chunk.length
    this.#wireChunks += 1
    if (this.#wireChunks <= chunksMax || this.#decoders.length === 0) {
      this.#progressAt = awakeNowMs()
      this.#bytesAtProgress = socket.bytesRead
      return
    }
    response.unpipe()
    response.pause()
    this.#endEarly('protocol_error')
  }

  #watch() {
    const now = awakeNowMs()
    if (this.#isOurTurn()) {
      this.#ownMs += now - this.#lookedAt
      this.#progressAt = now
      this.#bytesAtProgress = this.#pending.socket.bytesRead
    }
    this.#lookedAt = now
    if (this.#ownMs > ownMsMax) return this.#settleBroken('too_busy')
    const isWaitingForMemory = this.#isWaitingForMemory()
    if (now - this.#ownMs >= this.#limits.deadlineAt)
      return this.#settleBroken(isWaitingForMemory ? 'too_busy' : 'timeout_total')
    if (isWaitingForMemory) this.#progressAt = now
    if (this.#isSinkBusy) return
    if (now - this.#progressAt > this.#limits.idleMs) return this.#settleBroken('timeout_body')
    // Bytes arrive but no data comes out: endless chunk extensions or trailers.
    if (this.#pending.socket.bytesRead - this.#bytesAtProgress > overheadBytesMax)
      this.#breakOff('protocol_error')
  }

  /** Something has arrived that is not read yet. Our machine's speed decides how long that takes, so work is its bound. */
  #isOurTurn(): boolean {
    if (this.#isSinkBusy) return true
    if (this.#isWaitingForMemory()) return false
    const isUndecoded = this.#decoders.some(
      ({ stream }) => stream.writableLength > 0 || stream.readableLength > 0,
    )
    const isReading = this.#broken === undefined && !this.#isCut
    return isUndecoded || (isReading && this.#pending.response.readableLength > 0)
  }

  #isWaitingForMemory(): boolean {
    return this.#decoders.some((decoder) => decoder.isWaiting())
  }
}

const watchdogMs = 50
/** The last line, for a machine that has no time for us: the limits of work are reached in a hundredth of it. */
const ownMsMax = 60_000
const overheadBytesMax = 131_072
/** A body in single bytes costs more processor time than its length tells. */
const chunksMax = 20_000
