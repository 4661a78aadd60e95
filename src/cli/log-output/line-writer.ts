import { errorCode } from '../../lib/error-code.ts'
import { LineBuffer } from './line-buffer.ts'
import type { LineSink } from './line-sink.ts'

export interface LineWriterOptions {
  readonly sink: LineSink
  /** The line, without its end, that reports how many were lost since the last such line. */
  readonly lostLine: (count: number) => string
  /** Bytes that may wait while the reader is slow. */
  readonly waitingBytesMax?: number
  /** How long to wait before another write to a slow reader. */
  readonly retryMs?: number
}

/** Writes whole lines to an output that may fail or block: a full disk, a closed pipe, a reader that sleeps. */
export class LineWriter {
  readonly #buffer: LineBuffer
  readonly #sink: LineSink
  readonly #retryMs: number
  #whenIdle: (() => void)[] = []
  #isWriting = false
  #retry: ReturnType<typeof setTimeout> | undefined

  constructor({ sink, lostLine, waitingBytesMax = 1024 * 1024, retryMs = 50 }: LineWriterOptions) {
    this.#buffer = new LineBuffer({ bytesMax: waitingBytesMax, pieceBytesMax: sink.atomicBytesMax, lostLine })
    this.#sink = sink
    this.#retryMs = retryMs
  }

  /** Takes lines, each with its end. Never throws and never waits; lines that cannot be written are counted as lost. */
  readonly write = (lines: string): void => {
    this.#buffer.add(lines)
    if (this.#retry === undefined) this.#run()
  }

  /** How many lines were lost since the start. */
  lost(): number {
    return this.#buffer.lost()
  }

  /** Resolves when nothing is left to be written, at the latest after `limitMs`. */
  drain(limitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, limitMs)
      this.#whenIdle.push(() => {
        clearTimeout(timer)
        resolve()
      })
      this.#run()
    })
  }

  /** Writes from the buffer to the sink until one of them has to wait. */
  #run(): void {
    clearTimeout(this.#retry)
    this.#retry = undefined
    try {
      while (!this.#isWriting) {
        const bytes = this.#buffer.current()
        if (bytes === undefined) {
          this.#endDrains()
          return
        }
        const written = this.#sink.write(bytes)
        if (typeof written === 'number') this.#buffer.advance(written)
        else void this.#finishLater(written)
      }
    } catch (error) {
      this.#handleFailure(error)
    }
  }

  async #finishLater(written: Promise<number>): Promise<void> {
    this.#isWriting = true
    try {
      this.#buffer.advance(await written)
      this.#isWriting = false
      this.#run()
    } catch (error) {
      this.#isWriting = false
      this.#handleFailure(error)
    }
  }

  /** A slow reader is tried again. Every other failure may last, so the lines that wait are lost. */
  #handleFailure(error: unknown): void {
    if (['EAGAIN', 'EINTR'].includes(errorCode(error))) {
      this.#retry = setTimeout(() => this.#run(), this.#retryMs).unref()
      return
    }
    this.#buffer.discard()
    this.#endDrains()
  }

  #endDrains(): void {
    for (const resolve of this.#whenIdle) resolve()
    this.#whenIdle = []
  }
}
