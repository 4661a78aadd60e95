import { ByteReader } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'
import type { Woff2Directory, Woff2Table } from './woff2-directory.ts'
import { type RebuiltGlyphs, rebuildGlyphs } from './woff2-glyphs.ts'

const headBytes = 12
const recordBytes = 16

interface PlainTable {
  readonly tag: string
  readonly bytes: Uint8Array
}

/**
 * Puts a plain font together from what the stream of a WOFF2 file unpacked to: a step for some glyphs. Checksums are left
 * out, because HarfBuzz reads none.
 * @throws RangeError for a stream that is not as its directory says
 */
export function* rebuildFont(directory: Woff2Directory, unpacked: Uint8Array): Generator<void, Uint8Array> {
  const stream = new ByteReader(unpacked)
  const packed = directory.tables.map((table) => ({ ...table, bytes: stream.take(table.packedLength) }))
  const glyf = packed.find(({ tag, isTransformed }) => tag === 'glyf' && isTransformed)
  const rebuilt = glyf && (yield* rebuildGlyphs(glyf.bytes, glyf.length))
  const hhea = packed.find(({ tag }) => tag === 'hhea')?.bytes
  const tables = packed.map((table) => ({ tag: table.tag, bytes: plainTable(table, rebuilt, hhea) }))
  return assembleFont(directory.flavor, tables)
}

function plainTable(
  { tag, isTransformed, bytes }: Woff2Table & PlainTable,
  glyphs: RebuiltGlyphs | undefined,
  hhea: Uint8Array | undefined,
): Uint8Array {
  if (!isTransformed) return bytes
  if (glyphs !== undefined && tag === 'glyf') return glyphs.glyf
  if (glyphs !== undefined && tag === 'loca') return glyphs.loca
  if (glyphs !== undefined && tag === 'hmtx' && hhea !== undefined)
    return rebuildMetrics(bytes, glyphs.xMins, hhea)
  throw new RangeError(`${tag} has a form that no font has`)
}

/** Left side bearings that the stream leaves out are the least x of their glyphs. */
function rebuildMetrics(packed: Uint8Array, xMins: Int16Array, hhea: Uint8Array): Uint8Array {
  const reader = new ByteReader(packed)
  const flags = reader.uint8()
  const count = ((hhea[34] ?? 0) << 8) | (hhea[35] ?? 0)
  if (count > xMins.length) throw new RangeError('More advances than glyphs')
  const advances = Array.from({ length: count }, () => reader.uint16())
  const writer = new ByteWriter(4 * count + 2 * (xMins.length - count))
  for (const [glyph, xMin] of xMins.entries()) {
    const isOwn = glyph < count
    const isLeftOut = (flags & (isOwn ? 1 : 2)) !== 0
    if (isOwn) writer.uint16(advances[glyph] ?? 0)
    writer.uint16(isLeftOut ? xMin : reader.uint16())
  }
  return writer.finish()
}

function assembleFont(flavor: number, tables: readonly PlainTable[]): Uint8Array {
  const sorted = tables.toSorted((a, b) => (a.tag < b.tag ? -1 : 1))
  const firstOffset = headBytes + recordBytes * sorted.length
  const font = new Uint8Array(sorted.reduce((sum, { bytes }) => sum + aligned(bytes.length), firstOffset))
  const view = new DataView(font.buffer)
  view.setUint32(0, flavor)
  view.setUint16(4, sorted.length)
  let offset = firstOffset
  for (const [index, { tag, bytes }] of sorted.entries()) {
    const record = headBytes + recordBytes * index
    for (let at = 0; at < 4; at++) font[record + at] = tag.charCodeAt(at)
    view.setUint32(record + 8, offset)
    view.setUint32(record + 12, bytes.length)
    font.set(bytes, offset)
    offset += aligned(bytes.length)
  }
  return font
}

function aligned(length: number): number {
  return (length + 3) & ~3
}
