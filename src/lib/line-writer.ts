import type { LineSink } from './line-sink.ts'

/** Writes whole lines to where that may be impossible: a full disk, a closed pipe, a reader that sleeps. */
export interface LineWriter {
  /** Takes lines, each with its end. Never throws and never waits; what cannot be written is counted as lost. */
  write(lines: string): void
  /** How many lines were lost since the start. */
  lost(): number
  /** Resolves when nothing is left to be written, at the latest after `limitMs`. */
  drain(limitMs: number): Promise<void>
}

export interface LineWriterDeps {
  readonly sink: LineSink
  /** The line, without its end, that says how many were lost since it was said last. */
  readonly lostLine: (count: number) => string
  /** How much may wait while the reader is slow. */
  readonly waitingBytesMax?: number
  /** After how long a slow reader is tried again. */
  readonly retryMs?: number
}

/** What is written in one go. */
interface Piece {
  readonly bytes: Uint8Array
  /** Of the line that tells of lost ones: how many there were by then. */
  readonly tellsOf?: number
  /** The first part of it is written. */
  readonly isStarted?: boolean
}

const newline = 10

export function createLineWriter({
  sink,
  lostLine,
  waitingBytesMax = 1024 * 1024,
  retryMs = 50,
}: LineWriterDeps): LineWriter {
  let waiting: Uint8Array[] = []
  let waitingBytes = 0
  let piece: Piece | undefined
  let isWriting = false
  /** An error cut a line short: the next one must not stand behind its beginning. */
  let isTorn = false
  let lost = 0
  let told = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  let whenDrained: (() => void)[] = []

  function nextPiece(): Piece | undefined {
    const lines = takeLines()
    if (lines !== undefined) return { bytes: completed(lines) }
    if (lost === told) return undefined
    return { bytes: completed(Buffer.from(`${lostLine(lost - told)}\n`)), tellsOf: lost }
  }

  /** As many lines as fit into one atomic write, or one that is longer. */
  function takeLines(): Uint8Array | undefined {
    const block = waiting.shift()
    if (block === undefined) return undefined
    const lines = block.subarray(0, endOfLines(block, sink.atomicBytesMax))
    if (lines.length < block.length) waiting.unshift(block.subarray(lines.length))
    waitingBytes -= lines.length
    return lines
  }

  function completed(lines: Uint8Array): Uint8Array {
    return isTorn ? Buffer.concat([Buffer.of(newline), lines]) : lines
  }

  function pump(): void {
    clearTimeout(retry)
    retry = undefined
    try {
      while (!isWriting && hasPiece()) writePiece()
    } catch (error) {
      failed(error)
    }
  }

  function writePiece(): void {
    if (piece === undefined) return
    const written = sink.write(piece.bytes)
    if (typeof written === 'number') advance(piece, written)
    else writeLater(written)
  }

  function hasPiece(): boolean {
    piece ??= nextPiece()
    if (piece === undefined) settle()
    return piece !== undefined
  }

  function writeLater(written: Promise<number>): void {
    isWriting = true
    written
      .then((count) => piece && advance(piece, count))
      .then(
        () => {
          isWriting = false
          pump()
        },
        (error) => {
          isWriting = false
          failed(error)
        },
      )
  }

  function advance({ bytes, tellsOf }: Piece, count: number): void {
    if (count < bytes.length) {
      piece = { bytes: bytes.subarray(count), isStarted: true, ...(tellsOf && { tellsOf }) }
      return
    }
    piece = undefined
    isTorn = false
    told = tellsOf ?? told
  }

  /** Where the reader is slow, what waits is kept. Every other fault may last: what waits is lost. */
  function failed(error: unknown): void {
    if (isTemporary(error)) {
      retry = setTimeout(pump, retryMs)
      retry.unref()
      return
    }
    lost += waiting.reduce((sum, block) => sum + countLines(block), piece === undefined ? 0 : linesIn(piece))
    isTorn ||= piece?.isStarted === true
    piece = undefined
    waiting = []
    waitingBytes = 0
    settle()
  }

  /** The line about lost ones is no loss: it is said again. Neither is the end that a torn line gets. */
  function linesIn({ bytes, tellsOf, isStarted }: Piece): number {
    if (tellsOf !== undefined) return 0
    return countLines(bytes) - (isTorn && !isStarted ? 1 : 0)
  }

  function settle(): void {
    for (const resolve of whenDrained) resolve()
    whenDrained = []
  }

  return {
    write(lines) {
      const bytes = Buffer.from(lines)
      if (waitingBytes + bytes.length > waitingBytesMax) lost += countLines(bytes)
      else {
        waiting.push(bytes)
        waitingBytes += bytes.length
      }
      if (retry === undefined) pump()
    },
    lost: () => lost,
    drain(limitMs) {
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, limitMs)
        whenDrained.push(() => {
          clearTimeout(timer)
          resolve()
        })
        pump()
      })
    },
  }
}

/** Where the last line ends that lies within the first `bytesMax`, else where the first one ends. */
function endOfLines(block: Uint8Array, bytesMax: number): number {
  if (block.length <= bytesMax) return block.length
  const lastEnd = block.lastIndexOf(newline, bytesMax - 1)
  return (lastEnd < 0 ? block.indexOf(newline) : lastEnd) + 1 || block.length
}

function countLines(block: Uint8Array): number {
  let count = 0
  for (let at = block.indexOf(newline); at >= 0; at = block.indexOf(newline, at + 1)) count++
  return count
}

function isTemporary(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'EAGAIN' || code === 'EINTR'
}
