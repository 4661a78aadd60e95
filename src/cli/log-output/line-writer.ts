import { Buffer } from 'node:buffer'
import { constants, fstatSync, openSync, write, writeSync } from 'node:fs'
import { errorCode } from '../../lib/system-reason.ts'

interface LineWriterOptions {
  readonly sink: LineSink
  /** The line, without its end, that reports how many were lost since the last such line. */
  readonly lostLine: (count: number) => string
  /** Bytes that may wait while the reader is slow. */
  readonly waitingBytesMax?: number
  /** The wait before another write to a slow reader. */
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
    this.#buffer = new LineBuffer(waitingBytesMax, sink.atomicBytesMax, lostLine)
    this.#sink = sink
    this.#retryMs = retryMs
  }

  /** Takes lines, each with its end. Never throws and never waits; lines that cannot be written are counted as lost. */
  readonly write = (lines: string): void => {
    this.#buffer.add(lines)
    if (this.#retry === undefined) this.#run()
  }

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

interface Piece {
  readonly bytes: Uint8Array
  /** For the line that reports lost ones: how many there were by then. */
  readonly reportsLost?: number
  readonly isStarted?: boolean
}

/** The lines that a `LineWriter` has not written yet, in pieces for one write each, and a count of lost lines. */
class LineBuffer {
  readonly #bytesMax: number
  readonly #pieceBytesMax: number
  readonly #lostLine: LineWriterOptions['lostLine']
  #blocks: Uint8Array[] = []
  #blockBytes = 0
  #piece: Piece | undefined
  /** An error cut a line short: the next one must start on a new line. */
  #isTorn = false
  #lost = 0
  #reported = 0

  constructor(bytesMax: number, pieceBytesMax: number, lostLine: LineWriterOptions['lostLine']) {
    this.#bytesMax = bytesMax
    this.#pieceBytesMax = pieceBytesMax
    this.#lostLine = lostLine
  }

  /** Adds lines, each with its end; without room for them they are lost. */
  add(lines: string): void {
    const block = Buffer.from(lines)
    if (this.#blockBytes + block.length > this.#bytesMax) {
      this.#lost += countLines(block)
      return
    }
    this.#blocks.push(block)
    this.#blockBytes += block.length
  }

  /** The bytes to write next: the same ones until `advance` or `discard`; undefined when nothing waits. */
  current(): Uint8Array | undefined {
    this.#piece ??= this.#nextPiece()
    return this.#piece?.bytes
  }

  /** Marks the first `count` of the current bytes as written. */
  advance(count: number): void {
    if (this.#piece === undefined) return
    const { bytes, reportsLost } = this.#piece
    if (count < bytes.length) {
      this.#piece = { ...this.#piece, bytes: bytes.subarray(count), isStarted: true }
      return
    }
    this.#piece = undefined
    this.#isTorn = false
    this.#reported = reportsLost ?? this.#reported
  }

  discard(): void {
    for (const block of this.#blocks) this.#lost += countLines(block)
    if (this.#piece !== undefined) this.#lost += this.#linesOf(this.#piece)
    this.#isTorn ||= this.#piece?.isStarted === true
    this.#blocks = []
    this.#blockBytes = 0
    this.#piece = undefined
  }

  lost(): number {
    return this.#lost
  }

  #nextPiece(): Piece | undefined {
    const lines = this.#takeLines()
    if (lines !== undefined) return { bytes: this.#onNewLine(lines) }
    if (this.#lost === this.#reported) return undefined
    const line = Buffer.from(`${this.#lostLine(this.#lost - this.#reported)}\n`)
    return { bytes: this.#onNewLine(line), reportsLost: this.#lost }
  }

  /** Takes as many lines of the first block as one write may have, or a single line that is longer. */
  #takeLines(): Uint8Array | undefined {
    const block = this.#blocks.shift()
    if (block === undefined) return undefined
    const lines = block.subarray(0, endOfLines(block, this.#pieceBytesMax))
    if (lines.length < block.length) this.#blocks.unshift(block.subarray(lines.length))
    this.#blockBytes -= lines.length
    return lines
  }

  #onNewLine(lines: Uint8Array): Uint8Array {
    return this.#isTorn ? Buffer.concat([Buffer.of(newline), lines]) : lines
  }

  /** The line about lost ones is no loss, since it is repeated. Neither is the line end that follows a torn line. */
  #linesOf({ bytes, reportsLost, isStarted }: Piece): number {
    if (reportsLost !== undefined) return 0
    return countLines(bytes) - (this.#isTorn && !isStarted ? 1 : 0)
  }
}

const newline = 10

function countLines(block: Uint8Array): number {
  let count = 0
  for (let at = block.indexOf(newline); at >= 0; at = block.indexOf(newline, at + 1)) count++
  return count
}

/** The end of the last line within the first `bytesMax`, else of the first line. */
function endOfLines(block: Uint8Array, bytesMax: number): number {
  if (block.length <= bytesMax) return block.length
  const lastEnd = block.lastIndexOf(newline, bytesMax - 1)
  return (lastEnd < 0 ? block.indexOf(newline) : lastEnd) + 1 || block.length
}

/** The output of a `LineWriter`. A write never makes the event loop wait for the reader. */
interface LineSink {
  /** Writes the bytes, or the first of them, and returns how many. Throws or rejects with the system's error. */
  write(bytes: Uint8Array): number | Promise<number>
  /** Writes of at most this size are never interleaved with those of other processes. */
  readonly atomicBytesMax: number
}

/** POSIX requires writes of at most 512 bytes to a pipe to be atomic; Linux guarantees 4096. */
const pipeAtomicBytes = 4096
const wholeBlockBytes = 256 * 1024

/**
 * A sink for an open file descriptor, for example 1.
 *
 * A pipe is opened a second time in non-blocking mode, so that a write to a sleeping reader fails at once. A socket,
 * such as the journal's, cannot be opened again, and a file must not be, since all its writers share one position:
 * these are written to by a thread, one write at a time.
 */
export function openLineSink(fd: number): LineSink {
  const pipe = openPipeAgain(fd)
  if (pipe !== undefined) return { write: (bytes) => writeSync(pipe, bytes), atomicBytesMax: pipeAtomicBytes }
  return { write: (bytes) => writeByThread(fd, bytes), atomicBytesMax: wholeBlockBytes }
}

function openPipeAgain(fd: number): number | undefined {
  try {
    if (!fstatSync(fd).isFIFO()) return undefined
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    // The pipe is closed, its reader has gone, it belongs to another user, or the system has no /proc.
    return undefined
  }
}

function writeByThread(fd: number, bytes: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    write(fd, bytes, 0, bytes.length, null, (error, written) => (error ? reject(error) : resolve(written)))
  })
}
