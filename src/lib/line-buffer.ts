import { Buffer } from 'node:buffer'
import { countLines, createLineQueue, newline } from './line-queue.ts'

/** The lines that a `LineWriter` has not written yet, in pieces for one write each, and a count of lost lines. */
export interface LineBuffer {
  /** Adds lines, each with its end; without room for them they are lost. */
  add(lines: string): void
  /** The bytes to write next: the same ones until `advance` or `discard`; undefined when nothing waits. */
  current(): Uint8Array | undefined
  /** Marks the first `count` of the current bytes as written. */
  advance(count: number): void
  /** Gives up everything that waits. */
  discard(): void
  /** How many lines were lost since the start. */
  lost(): number
}

export interface LineBufferOptions {
  readonly bytesMax: number
  readonly pieceBytesMax: number
  /** The line, without its end, that reports how many were lost since the last such line. */
  readonly lostLine: (count: number) => string
}

/** The bytes of one write. */
interface Piece {
  readonly bytes: Uint8Array
  /** For the line that reports lost ones: how many there were by then. */
  readonly reportsLost?: number
  /** Its beginning is written. */
  readonly isStarted?: boolean
}

export function createLineBuffer({ bytesMax, pieceBytesMax, lostLine }: LineBufferOptions): LineBuffer {
  const queue = createLineQueue(bytesMax)
  let piece: Piece | undefined
  /** An error cut a line short: the next one must start on a new line. */
  let isTorn = false
  let lost = 0
  let reported = 0

  function nextPiece(): Piece | undefined {
    const lines = queue.take(pieceBytesMax)
    if (lines !== undefined) return { bytes: onNewLine(lines) }
    if (lost === reported) return undefined
    return { bytes: onNewLine(Buffer.from(`${lostLine(lost - reported)}\n`)), reportsLost: lost }
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
    add(lines) {
      const bytes = Buffer.from(lines)
      if (!queue.add(bytes)) lost += countLines(bytes)
    },
    current() {
      piece ??= nextPiece()
      return piece?.bytes
    },
    advance(count) {
      if (piece === undefined) return
      const { bytes, reportsLost } = piece
      if (count < bytes.length) {
        piece = { bytes: bytes.subarray(count), isStarted: true, ...(reportsLost && { reportsLost }) }
        return
      }
      piece = undefined
      isTorn = false
      reported = reportsLost ?? reported
    },
    discard() {
      lost += queue.clear() + (piece === undefined ? 0 : linesOf(piece))
      isTorn ||= piece?.isStarted === true
      piece = undefined
    },
    lost: () => lost,
  }
}
