import { ByteReader } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'
import { Woff2Outline } from './woff2-outline.ts'

/** The tables that a font has in place of the transformed `glyf`. */
export interface RebuiltGlyphs {
  readonly glyf: Uint8Array
  readonly loca: Uint8Array
  /** The least x of each glyph, 0 of an empty one. */
  readonly xMins: Int16Array
}

const hasOverlapBits = 1
const glyphsPerStep = 64

/** One for all glyphs: each is written before the next one is read. */
const outline = new Woff2Outline()

/** Turns the `glyf` of a WOFF2 stream into the tables of a plain font: a step for some glyphs. */
export function* rebuildGlyphs(packed: Uint8Array, expectedBytes: number): Generator<void, RebuiltGlyphs> {
  const streams = readStreams(packed)
  const { count, hasLongOffsets } = streams
  const writer = new ByteWriter(expectedBytes)
  const loca = new DataView(new ArrayBuffer((count + 1) * (hasLongOffsets ? 4 : 2)))
  const xMins = new Int16Array(count)
  for (let glyph = 0; glyph <= count; glyph++) {
    if (hasLongOffsets) loca.setUint32(glyph * 4, writer.length)
    else loca.setUint16(glyph * 2, writer.length >> 1)
    if (glyph === count) break
    xMins[glyph] = writeGlyph(streams, glyph, writer)
    writer.align()
    if (glyph % glyphsPerStep === glyphsPerStep - 1) yield
  }
  return { glyf: writer.finish(), loca: new Uint8Array(loca.buffer), xMins }
}

type Streams = ReturnType<typeof readStreams>

function readStreams(packed: Uint8Array) {
  const reader = new ByteReader(packed)
  reader.uint16()
  const options = reader.uint16()
  const count = reader.uint16()
  const hasLongOffsets = reader.uint16() !== 0
  const lengths = Array.from({ length: 7 }, () => reader.uint32())
  const [contours, points, flags, glyphs, composites, boxes, instructions] = lengths.map(
    (length) => new ByteReader(reader.take(length)),
  )
  const overlapBits = (options & hasOverlapBits) === 0 ? undefined : reader.take((count + 7) >> 3)
  if (!contours || !points || !flags || !glyphs || !composites || !boxes || !instructions)
    throw new RangeError('A stream is missing')
  const boxBits = boxes.take(((count + 31) >> 5) << 2)
  return {
    ...{ count, hasLongOffsets, contours, points, flags, glyphs },
    ...{ composites, boxes, boxBits, instructions, overlapBits },
  }
}

/** Returns the least x. */
function writeGlyph(streams: Streams, glyph: number, writer: ByteWriter): number {
  const contourCount = streams.contours.uint16()
  const box = isSet(streams.boxBits, glyph) ? streams.boxes.take(8) : undefined
  if (contourCount === 0) return 0
  writer.uint16(contourCount)
  if (contourCount !== 0xffff) return writeSimple(streams, glyph, contourCount, box, writer)
  if (box === undefined) throw new RangeError('A composite glyph has no box')
  writer.add(box)
  writeComposite(streams, writer)
  return leftOf(box)
}

function writeComposite({ composites, glyphs, instructions }: Streams, writer: ByteWriter): void {
  const [areWords, hasScale, hasMore, hasTwoScales, hasMatrix, hasInstructions] = [
    1, 8, 0x20, 0x40, 0x80, 0x100,
  ]
  let isInstructed = false
  for (let flags = hasMore; (flags & hasMore) !== 0; ) {
    flags = composites.uint16()
    isInstructed ||= (flags & hasInstructions) !== 0
    const scaleBytes =
      (flags & hasScale) !== 0 ? 2 : (flags & hasTwoScales) !== 0 ? 4 : (flags & hasMatrix) !== 0 ? 8 : 0
    writer.uint16(flags)
    writer.add(composites.take(2 + ((flags & areWords) !== 0 ? 4 : 2) + scaleBytes))
  }
  if (isInstructed) writeInstructions(glyphs.packed16(), instructions, writer)
}

function writeInstructions(length: number, instructions: ByteReader, writer: ByteWriter): void {
  writer.uint16(length)
  writer.add(instructions.take(length))
}

/** Returns the least x. */
function writeSimple(
  { points, flags, glyphs, instructions, overlapBits }: Streams,
  glyph: number,
  contourCount: number,
  box: Uint8Array | undefined,
  writer: ByteWriter,
): number {
  const ends: number[] = []
  let count = 0
  for (let contour = 0; contour < contourCount; contour++) {
    count += points.packed16()
    ends.push(count - 1)
  }
  const isOverlapping = overlapBits !== undefined && isSet(overlapBits, glyph)
  outline.read(flags.take(count), glyphs, isOverlapping)
  if (box !== undefined) writer.add(box)
  const left = box === undefined ? outline.writeBox(writer) : leftOf(box)
  for (const end of ends) writer.uint16(end)
  writeInstructions(glyphs.packed16(), instructions, writer)
  outline.write(writer)
  return left
}

function isSet(bits: Uint8Array, glyph: number): boolean {
  return ((bits[glyph >> 3] ?? 0) & (0x80 >> (glyph & 7))) !== 0
}

function leftOf(box: Uint8Array): number {
  return ((((box[0] ?? 0) << 8) | (box[1] ?? 0)) << 16) >> 16
}
