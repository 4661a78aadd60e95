import { type Adler, adlerAfter, adlerOf, emptyAdler } from './adler.ts'
import {
  type BitWriter,
  bitLength,
  copyBits,
  createBitWriter,
  writeBits,
  writeCodes,
  writtenBytes,
} from './bit-writer.ts'
import { type Bitmap, rowBytes } from './bitmap.ts'
import { type ChangedSpans, changedSpans } from './changed-spans.ts'
import { encodeZlibStream } from './encode-png.ts'
import { type GroundStream, markBytes } from './ground-stream.ts'
import { writeBlockEnd, writeBlockHead } from './literal-codes.ts'
import { release } from './release.ts'
import { filterRow } from './row-filter.ts'

/**
 * A PNG with every pixel of a card: the codes of its ground are copied where the card left it as it was, and only the rest
 * is filtered and encoded. The bytes follow from card and ground alone. Undefined where they would be more than `bytesMax`.
 */
export function encodeOverGround(
  bitmap: Bitmap,
  ground: Uint8Array,
  stream: GroundStream,
  bytesMax: number,
): Uint8Array<ArrayBuffer> | undefined {
  const { widthPx, heightPx, rows } = bitmap
  const stride = rowBytes(widthPx, 3)
  const spans = changedSpans(rows, ground, stride, heightPx)
  const row = new Uint8Array(stride)
  const writer = createBitWriter(bytesMax + 2 * stride + 1024)
  writeBits(writer, zlibHead, 16)
  let adler = emptyAdler
  for (let y = 0; y < heightPx && bitLength(writer) <= bytesMax * 8; y++) {
    const codes = startRow(writer, stream, y)
    const { from, to } = changedMarks(spans, y, stride)
    adler = copyMarks(writer, stream, { y, from: 0, to: from, stride }, adler)
    if (from < to) {
      const [start, end] = [from * markBytes, Math.min(stride, to * markBytes)]
      filterRow(stream.filter, bitmap, y, start, end, row)
      writeCodes(writer, codes, row, start, end)
      adler = adlerOf(row, start, end, adler)
    }
    adler = copyMarks(writer, stream, { y, from: Math.max(from, to), to: stream.marksPerRow, stride }, adler)
  }
  const last = stream.blocks.at(-1)
  if (last) writeBlockEnd(writer, last)
  const bytes = writtenBytes(writer)
  const png = encodeZlibStream(bitmap, [bytes, checksum(adler)])
  release(writer.words)
  release(bytes)
  return png.byteLength <= bytesMax ? png : undefined
}

/** Deflate with a window of 32 KiB, packed fast; the lower byte comes first. */
const zlibHead = 0x0178

/** Ends a block and begins the next one where its rows begin. Returns the codes of the row. */
function startRow(writer: BitWriter, { blocks, blockRows }: GroundStream, y: number): Uint32Array {
  const index = Math.floor(y / blockRows)
  const block = blocks[index]
  if (block === undefined) throw new RangeError(`no codes for row ${y}`)
  if (y % blockRows === 0) {
    const before = blocks[index - 1]
    if (before) writeBlockEnd(writer, before)
    writeBlockHead(writer, block, index === blocks.length - 1)
  }
  return block.codes
}

/** Which marks of a row are not the ground's: where it differs, and where the bytes are that are told as differences from there. */
function changedMarks({ starts, ends }: ChangedSpans, y: number, stride: number) {
  const rowsBelow = y === 0 ? [0] : [y - 1, y]
  const changed = rowsBelow.filter((row) => (ends[row] as number) > 0)
  if (changed.length === 0) return { from: 0, to: 0 }
  const start = Math.min(...changed.map((row) => starts[row] as number))
  const end = Math.min(stride, Math.max(...changed.map((row) => ends[row] as number)) + 3)
  return { from: Math.floor(start / markBytes), to: Math.ceil(end / markBytes) }
}

interface Marks {
  readonly y: number
  readonly from: number
  readonly to: number
  readonly stride: number
}

/** Copies what the ground has between two marks of a row. */
function copyMarks(
  writer: BitWriter,
  { words, marks, lows, highs, marksPerRow }: GroundStream,
  { y, from, to, stride }: Marks,
  before: Adler,
): Adler {
  if (from >= to) return before
  const [first, last] = [y * marksPerRow + from, y * marksPerRow + to]
  copyBits(writer, words, marks[first] as number, marks[last] as number)
  const bytes = Math.min(stride, to * markBytes) - from * markBytes
  return adlerAfter(before, adlerAt(first), adlerAt(last), bytes)

  function adlerAt(mark: number): Adler {
    return { low: lows[mark] as number, high: highs[mark] as number }
  }
}

function checksum({ low, high }: Adler): Uint8Array {
  return Uint8Array.of(high >> 8, high, low >> 8, low)
}
