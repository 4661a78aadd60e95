import { Buffer } from 'node:buffer'
import { constants, fstatSync, openSync, write, writeSync } from 'node:fs'
import { errorCode } from '../../lib/system-reason.ts'

interface LineWriterOptions {
  readonly sink: LineSink
  /** The line, without its end, that reports how many were lost since the last such line. */
  readonly lostLine: (count: number) => string
  readonly waitingBytesMax?: number
  readonly retryMs?: number
}

export type LineWriter = ReturnType<typeof createLineWriter>

/** Writes whole lines to an output that may fail or block: a full disk, a closed pipe, a reader that sleeps. */
export function createLineWriter({
  sink,
  lostLine,
  waitingBytesMax = 1024 * 1024,
  retryMs = 50,
}: LineWriterOptions) {
  const buffer = createLineBuffer(waitingBytesMax, sink.atomicBytesMax, lostLine)
  const whenIdle: (() => void)[] = []
  let isWriting = false
  let retry: ReturnType<typeof setTimeout> | undefined

  function run(): void {
    clearTimeout(retry)
    retry = undefined
    try {
      while (!isWriting) {
        const bytes = buffer.current()
        if (bytes === undefined) {
          endDrains()
          return
        }
        const written = sink.write(bytes)
        if (typeof written === 'number') buffer.advance(written)
        else void finishLater(written)
      }
    } catch (error) {
      handleFailure(error)
    }
  }

  async function finishLater(written: Promise<number>): Promise<void> {
    isWriting = true
    try {
      buffer.advance(await written)
      isWriting = false
      run()
    } catch (error) {
      isWriting = false
      handleFailure(error)
    }
  }

  /** A slow reader is tried again. Every other failure may last, so the lines that wait are lost. */
  function handleFailure(error: unknown): void {
    if (['EAGAIN', 'EINTR'].includes(errorCode(error))) {
      retry = setTimeout(run, retryMs).unref()
      return
    }
    buffer.discard()
    endDrains()
  }

  function endDrains(): void {
    for (const resolve of whenIdle.splice(0)) resolve()
  }

  return {
    /** Takes lines, each with its end. Never throws and never waits; lines that cannot be written are counted as lost. */
    write(lines: string): void {
      buffer.add(lines)
      if (retry === undefined) run()
    },
    lost: buffer.lost,
    async drain(limitMs: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, limitMs)
      whenIdle.push(resolve)
      run()
      await promise
      clearTimeout(timer)
    },
  }
}

interface Piece {
  readonly bytes: Uint8Array
  /** For the line that reports lost ones: how many there were by then. */
  readonly reportsLost?: number
  readonly isStarted?: boolean
}

/** The lines that a `LineWriter` has not written yet, in pieces for one write each, and a count of lost lines. */
function createLineBuffer(bytesMax: number, pieceBytesMax: number, lostLine: LineWriterOptions['lostLine']) {
  let blocks: Uint8Array[] = []
  let blockBytes = 0
  let piece: Piece | undefined
  /** An error cut a line short: the next one must start on a new line. */
  let isTorn = false
  let lost = 0
  let reported = 0

  function nextPiece(): Piece | undefined {
    const lines = takeLines()
    if (lines !== undefined) return { bytes: onNewLine(lines) }
    if (lost === reported) return undefined
    const line = Buffer.from(`${lostLine(lost - reported)}\n`)
    return { bytes: onNewLine(line), reportsLost: lost }
  }

  /** Takes as many lines of the first block as one write may have, or a single line that is longer. */
  function takeLines(): Uint8Array | undefined {
    const block = blocks.shift()
    if (block === undefined) return undefined
    const lines = block.subarray(0, endOfLines(block, pieceBytesMax))
    if (lines.length < block.length) blocks.unshift(block.subarray(lines.length))
    blockBytes -= lines.length
    return lines
  }

  function onNewLine(lines: Uint8Array): Uint8Array {
    return isTorn ? Buffer.concat([Buffer.of(newline), lines]) : lines
  }

  /** The line about lost ones is no loss, since it is repeated. Neither is the line end that follows a torn line. */
  function linesOf({ bytes, reportsLost, isStarted }: Piece): number {
    if (reportsLost !== undefined) return 0
    return countLines(bytes) - (isTorn && !isStarted ? 1 : 0)
  }

  return {
    add(lines: string): void {
      const block = Buffer.from(lines)
      if (blockBytes + block.length > bytesMax) {
        lost += countLines(block)
        return
      }
      blocks.push(block)
      blockBytes += block.length
    },
    /** The bytes to write next: the same ones until `advance` or `discard`; undefined when nothing waits. */
    current(): Uint8Array | undefined {
      piece ??= nextPiece()
      return piece?.bytes
    },
    advance(count: number): void {
      if (piece === undefined) return
      const { bytes, reportsLost } = piece
      if (count < bytes.length) {
        piece = { ...piece, bytes: bytes.subarray(count), isStarted: true }
        return
      }
      piece = undefined
      isTorn = false
      reported = reportsLost ?? reported
    },
    discard(): void {
      for (const block of blocks) lost += countLines(block)
      if (piece !== undefined) lost += linesOf(piece)
      isTorn ||= piece?.isStarted === true
      blocks = []
      blockBytes = 0
      piece = undefined
    },
    lost: () => lost,
  }
}

const newline = 10

function countLines(block: Uint8Array): number {
  let count = 0
  for (let at = block.indexOf(newline); at >= 0; at = block.indexOf(newline, at + 1)) count++
  return count
}

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
