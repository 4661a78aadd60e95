import { type Adler, adlerOf, emptyAdler } from './adler.ts'
import { bitLength, createBitWriter, writeCodes, writtenWords } from './bit-writer.ts'
import { rowBytes } from './bitmap.ts'
import { blockBits, type LiteralCodes, literalCodes } from './literal-codes.ts'
import { filterRow, type OpaqueRows, type RowFilter } from './row-filter.ts'

/**
 * The rows of a ground with a photograph as what a PNG has of them: differences of neighbouring pixels, as codes by their
 * frequency. In them repeats are rare, and to look for some costs more than it saves. Marks say where in the codes pixels
 * lie, so that cards over the ground copy what they leave as it was.
 */
export interface GroundStream {
  readonly filter: RowFilter
  /** One set of codes for so many rows. */
  readonly blockRows: number
  readonly blocks: readonly LiteralCodes[]
  readonly words: Uint16Array
  /** By row, then by each `markBytes` of it: the bit at which it begins, and the checksum of all before it. */
  readonly marks: Uint32Array
  readonly lows: Uint16Array
  readonly highs: Uint16Array
  readonly marksPerRow: number
}

/** What a stream takes in memory. */
export function streamBytes({ blocks, words, marks, lows, highs }: GroundStream): number {
  const perBlock = 1400
  return words.byteLength + marks.byteLength + lows.byteLength + highs.byteLength + blocks.length * perBlock
}

export const markBytes = 128
const blockBytes = 48 * 1024
/** Every so many blocks are counted to guess the size of all. */
const sampleStep = 6

function marksPerRow(stride: number): number {
  return Math.ceil(stride / markBytes)
}

/**
 * With the faster filter where that leaves much room for words, which take some more; undefined where the ground would
 * take more than `bytesMax`.
 */
export function createGroundStream(ground: OpaqueRows, bytesMax: number): GroundStream | undefined {
  const filter = (Object.keys(shares) as RowFilter[]).find(
    (each) => guessBytes(ground, each) < bytesMax * shares[each],
  )
  return filter && encodeRows(ground, filter, bytesMax)
}

/** Of the bytes that a card may have, those that its ground may be guessed at. */
const shares: Readonly<Record<RowFilter, number>> = { up: 0.86, paeth: 0.97 }

function guessBytes(ground: OpaqueRows, filter: RowFilter): number {
  const { blockRows, blockCount, stride } = blocksOf(ground)
  const scratch = new Uint8Array(stride * blockRows)
  let [bits, rows] = [0, 0]
  for (let block = 0; block < blockCount; block += sampleStep) {
    const length = filterBlock(ground, filter, block, scratch)
    const counts = countBytes(scratch, length)
    bits += blockBits(counts, literalCodes(counts))
    rows += length / stride
  }
  return (bits / 8 / rows) * ground.heightPx
}

function encodeRows(ground: OpaqueRows, filter: RowFilter, bytesMax: number): GroundStream | undefined {
  const { blockRows, blockCount, stride } = blocksOf(ground)
  const perRow = marksPerRow(stride)
  const marks = new Uint32Array(perRow * ground.heightPx + 1)
  const lows = new Uint16Array(marks.length)
  const highs = new Uint16Array(marks.length)
  const writer = createBitWriter(bytesMax + 2 * stride * blockRows)
  const scratch = new Uint8Array(stride * blockRows)
  const blocks: LiteralCodes[] = []
  let mark = 0
  let adler: Adler = emptyAdler
  for (let block = 0; block < blockCount; block++) {
    const length = filterBlock(ground, filter, block, scratch)
    const codes = literalCodes(countBytes(scratch, length))
    blocks.push(codes)
    for (let row = 0; row < length; row += stride)
      for (let start = row; start < row + stride; start += markBytes) {
        const end = Math.min(row + stride, start + markBytes)
        marks[mark] = bitLength(writer)
        lows[mark] = adler.low
        highs[mark] = adler.high
        mark++
        writeCodes(writer, codes.codes, scratch, start, end)
        adler = adlerOf(scratch, start, end, adler)
      }
    if (bitLength(writer) > bytesMax * 8) return undefined
  }
  marks[mark] = bitLength(writer)
  lows[mark] = adler.low
  highs[mark] = adler.high
  return { filter, blockRows, blocks, words: writtenWords(writer), marks, lows, highs, marksPerRow: perRow }
}

function blocksOf({ widthPx, heightPx }: OpaqueRows) {
  const stride = rowBytes(widthPx, 3)
  const blockRows = Math.max(1, Math.floor(blockBytes / stride))
  return { stride, blockRows, blockCount: Math.ceil(heightPx / blockRows) }
}

/** Returns the bytes of the block. */
function filterBlock(ground: OpaqueRows, filter: RowFilter, block: number, out: Uint8Array): number {
  const { stride, blockRows } = blocksOf(ground)
  const first = block * blockRows
  const end = Math.min(ground.heightPx, first + blockRows)
  for (let y = first; y < end; y++) {
    const at = (y - first) * stride
    filterRow(filter, ground, y, 0, stride, out.subarray(at, at + stride))
  }
  return (end - first) * stride
}

function countBytes(data: Uint8Array, length: number): Uint32Array {
  const counts = new Uint32Array(256)
  for (let at = 0; at < length; at++) {
    const byte = data[at] as number
    counts[byte] = (counts[byte] as number) + 1
  }
  return counts
}
