import { Buffer } from 'node:buffer'

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

/** The lines that a `LineWriter` has not written yet, in pieces for one write each, and a count of lost lines. */
export class LineBuffer {
  readonly #options: LineBufferOptions
  /** The lines that are in no piece yet. */
  #blocks: Uint8Array[] = []
  #blockBytes = 0
  #piece: Piece | undefined
  /** An error cut a line short: the next one must start on a new line. */
  #isTorn = false
  #lost = 0
  #reported = 0

  constructor(options: LineBufferOptions) {
    this.#options = options
  }

  /** Adds lines, each with its end; without room for them they are lost. */
  add(lines: string): void {
    const block = Buffer.from(lines)
    if (this.#blockBytes + block.length > this.#options.bytesMax) {
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

  /** Gives up everything that waits. */
  discard(): void {
    for (const block of this.#blocks) this.#lost += countLines(block)
    if (this.#piece !== undefined) this.#lost += this.#linesOf(this.#piece)
    this.#isTorn ||= this.#piece?.isStarted === true
    this.#blocks = []
    this.#blockBytes = 0
    this.#piece = undefined
  }

  /** How many lines were lost since the start. */
  lost(): number {
    return this.#lost
  }

  #nextPiece(): Piece | undefined {
    const lines = this.#takeLines()
    if (lines !== undefined) return { bytes: this.#onNewLine(lines) }
    if (this.#lost === this.#reported) return undefined
    const line = Buffer.from(`${this.#options.lostLine(this.#lost - this.#reported)}\n`)
    return { bytes: this.#onNewLine(line), reportsLost: this.#lost }
  }

  /** Takes as many lines of the first block as one write may have, or a single line that is longer. */
  #takeLines(): Uint8Array | undefined {
    const block = this.#blocks.shift()
    if (block === undefined) return undefined
    const lines = block.subarray(0, endOfLines(block, this.#options.pieceBytesMax))
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

/** Where the last line ends that lies within the first `bytesMax`, else where the first one ends. */
function endOfLines(block: Uint8Array, bytesMax: number): number {
  if (block.length <= bytesMax) return block.length
  const lastEnd = block.lastIndexOf(newline, bytesMax - 1)
  return (lastEnd < 0 ? block.indexOf(newline) : lastEnd) + 1 || block.length
}
