import type { Readable } from 'node:stream'
import { createDecoders } from './content-decoders.ts'
import { type FailureReason, FetchFailure } from './fetch-failure.ts'
import type { FetchLimits } from './fetch-limits.ts'
import type { PendingResponse } from './send-request.ts'

/** Receives a body piece by piece. */
export interface BodySink {
  /** Answers false when it has enough. The next piece waits for the answer. */
  write(chunk: Uint8Array): boolean | Promise<boolean>
  /** Whether what came so far is worth an answer when the site goes silent in the middle. */
  isUseful(): boolean
}

export interface BodyResult {
  /** Not everything that the site wanted to send was read: a limit was reached or the connection broke. */
  readonly truncated: boolean
  readonly wireBytes: number
  readonly decodedBytes: number
}

export function readBody(
  context: PendingResponse,
  sink: BodySink,
  limits: FetchLimits,
  deadlineAt: number,
): Promise<BodyResult> {
  return new Promise((resolve, reject) => {
    const { response, socket, broken: breaking } = context
    const decoders = createDecoders(response.headers['content-encoding'])
    const source = decoders.reduce<Readable>((from, { stream }) => from.pipe(stream), response)
    let wireBytes = 0
    let decodedBytes = 0
    let pieces = 0
    let wirePieces = 0
    let broken: FailureReason | undefined
    let settled = false
    let handing = false
    let progressAt = performance.now()
    let bytesAtProgress = socket.bytesRead

    function settle(outcome: { readonly truncated: boolean } | { readonly failure: unknown }) {
      if (settled) return
      settled = true
      clearInterval(watchdog)
      for (const { stream } of decoders) stream.destroy()
      response.destroy()
      socket.destroy()
      if ('failure' in outcome) reject(outcome.failure)
      else resolve({ truncated: outcome.truncated, wireBytes, decodedBytes })
    }

    function settleBroken(reason: FailureReason) {
      const enough = reason.startsWith('timeout_') ? sink.isUseful() : decodedBytes > 0
      if (enough && reason !== 'headers_too_large') settle({ truncated: true })
      else settle({ failure: new FetchFailure(reason) })
    }

    function breakOff(reason: FailureReason) {
      if (!response.complete) endEarly(reason)
    }

    function endEarly(reason: FailureReason) {
      if (settled || broken !== undefined) return
      broken = reason
      const [first] = decoders
      setImmediate(() => (first === undefined ? finish() : first.stream.end()))
    }

    function finish() {
      if (handing) return
      if (broken !== undefined) settleBroken(broken)
      else if (decoders.some(({ isCut }) => isCut())) settleBroken('decode_error')
      else settle({ truncated: false })
    }

    function proceed(wanted: boolean, full: boolean) {
      progressAt = performance.now()
      if (!wanted) settle({ truncated: false })
      else if (full) settle({ truncated: true })
    }

    function hand(chunk: Uint8Array) {
      if (settled) return
      const room = limits.bodyBytes - decodedBytes
      const piece = chunk.length > room ? chunk.subarray(0, room) : chunk
      pieces += 1
      const full = piece.length < chunk.length || pieces > piecesMax
      decodedBytes += piece.length
      const wanted = sink.write(piece)
      if (typeof wanted === 'boolean') return proceed(wanted, full)
      handing = true
      source.pause()
      function resume(more: boolean) {
        handing = false
        proceed(more, full)
        if (source.readableEnded || broken !== undefined) finish()
        else source.resume()
      }
      wanted.then(resume).catch((failure: unknown) => settle({ failure }))
    }

    function watch() {
      const now = performance.now()
      const isWaiting = decoders.some((decoder) => decoder.isWaiting())
      if (now >= deadlineAt) return settleBroken(isWaiting ? 'too_busy' : 'timeout_total')
      if (isWaiting) progressAt = now
      if (handing) return
      if (now - progressAt > limits.idleMs) return settleBroken('timeout_body')
      // Bytes arrive but no data comes out: endless chunk extensions or trailers.
      if (socket.bytesRead - bytesAtProgress > overheadBytesMax) breakOff('protocol_error')
    }
    const watchdog = setInterval(watch, watchdogMs)

    response.on('data', (chunk: Uint8Array) => {
      wireBytes += chunk.length
      wirePieces += 1
      if (wirePieces <= piecesMax || decoders.length === 0) return
      response.unpipe()
      response.pause()
      endEarly('protocol_error')
      progressAt = performance.now()
      bytesAtProgress = socket.bytesRead
    })
    breaking.then(breakOff)
    for (const { stream } of decoders) stream.on('error', () => settleBroken('decode_error'))
    source.on('data', (chunk: Uint8Array) => {
      try {
        hand(chunk)
      } catch (failure) {
        settle({ failure })
      }
    })
    source.on('end', finish)
  })
}

const watchdogMs = 50
const overheadBytesMax = 131_072
/** A body in single bytes costs more than it says. */
const piecesMax = 20_000
