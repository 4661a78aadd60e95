import { listOf } from '../../lib/human-format.ts'
import { damaged, FontRefused, fontFormats, fontLimits } from './font-limits.ts'

export type FontTables = ReadonlyMap<string, DataView>

const headBytes = 12
const entryBytes = 16

/** Reads the directory of a plain font: tables lie within the file and apart from each other. @throws FontRefused */
export function readTables(font: Uint8Array): FontTables {
  const view = viewOf(font)
  if (font.length < headBytes) throw new FontRefused('is not a font: it ends within its first bytes')
  const count = view.getUint16(4)
  if (count === 0 || count > fontLimits.tables || headBytes + count * entryBytes > font.length)
    throw new FontRefused('is damaged: its directory of tables is not as OpenType says')
  const tables = new Map<string, DataView>()
  const places: { tag: string; start: number; end: number }[] = []
  for (let index = 0; index < count; index++) {
    const at = headBytes + index * entryBytes
    const tag = String.fromCharCode(...font.subarray(at, at + 4))
    const start = view.getUint32(at + 8)
    const length = view.getUint32(at + 12)
    if (tables.has(tag) || start + length > font.length || start < headBytes + count * entryBytes)
      throw refused(tag, 'lies outside of the file, or twice in it')
    tables.set(tag, viewOf(font.subarray(start, start + length)))
    if (length > 0) places.push({ tag, start, end: start + length })
  }
  places.sort((a, b) => a.start - b.start)
  for (const [index, { tag, start }] of places.entries()) {
    if (start < (places[index - 1]?.end ?? 0)) throw refused(tag, 'overlaps another')
  }
  return tables
}

/** Writes tables as a plain font, in the order of their tags; equal tables give equal bytes. */
export function writeFont(signature: number, tables: FontTables): Uint8Array<ArrayBuffer> {
  const sorted = [...tables].sort(([a], [b]) => (a < b ? -1 : 1))
  const start = headBytes + sorted.length * entryBytes
  const font = new Uint8Array(sorted.reduce((sum, [, table]) => sum + padded(table.byteLength), start))
  const view = viewOf(font)
  const power = 31 - Math.clz32(sorted.length)
  view.setUint32(0, signature)
  view.setUint16(4, sorted.length)
  view.setUint16(6, 16 << power)
  view.setUint16(8, power)
  view.setUint16(10, (sorted.length - (1 << power)) * 16)
  let offset = start
  for (const [index, [tag, table]] of sorted.entries()) {
    const at = headBytes + index * entryBytes
    for (let letter = 0; letter < 4; letter++) font[at + letter] = tag.charCodeAt(letter)
    font.set(bytesOf(table), offset)
    view.setUint32(at + 4, checksum(view, offset, padded(table.byteLength)))
    view.setUint32(at + 8, offset)
    view.setUint32(at + 12, table.byteLength)
    offset += padded(table.byteLength)
  }
  return font
}

export function bytesOf({ buffer, byteOffset, byteLength }: DataView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** The table, which the font must have and which has room for this much. @throws FontRefused */
export function tableOf(tables: FontTables, tag: string, bytesMin = 0): DataView {
  const table = tables.get(tag)
  if (table === undefined) throw new FontRefused(`has no table "${tag.trim()}", which every font needs`)
  if (table.byteLength < bytesMin) throw damaged(tag)
  return table
}

function checksum(view: DataView, start: number, length: number): number {
  let sum = 0
  for (let at = start; at < start + length; at += 4) sum = (sum + view.getUint32(at)) >>> 0
  return sum
}

function padded(length: number): number {
  return (length + 3) & ~3
}

/** A tag is any four bytes: what cannot be read is not repeated. */
function refused(tag: string, fault: string): FontRefused {
  return new FontRefused(`is damaged: its table "${tag.replace(/[^A-Za-z0-9/ ]/g, '?').trim()}" ${fault}`)
}

export const woff2 = 'wOF2'
export const woff2HeadBytes = 48

/** TrueType in two spellings, and OpenType with PostScript outlines. */
const plain = ['\0\x01\0\0', 'true', 'OTTO']
export const fontFormatLabels = listOf(fontFormats.map((format) => format.toUpperCase()))
const noFont = `is not a font: ${fontFormatLabels}`
const refusals = new Map([
  ['wOFF', `is WOFF; fonts are ${fontFormatLabels}`],
  ['ttcf', 'is a collection of fonts; only a single font can be used'],
  ['typ1', `is a PostScript font; fonts are ${fontFormatLabels}`],
])

/** Refuses what does not begin as a font does that can be used. @throws FontRefused */
export function checkSignature(file: Uint8Array): void {
  if (file.length < 12) throw new FontRefused(file.length === 0 ? 'is empty' : noFont)
  const signature = signatureOf(file)
  if (plain.includes(signature)) return
  if (signature !== woff2) throw new FontRefused(refusals.get(signature) ?? noFont)
  if (file.length < woff2HeadBytes) throw new FontRefused('is damaged: it ends within its first bytes')
  const flavor = signatureOf(file.subarray(4))
  if (!plain.includes(flavor)) throw new FontRefused(refusals.get(flavor) ?? noFont)
}

export function signatureOf(file: Uint8Array): string {
  return String.fromCharCode(...file.subarray(0, 4))
}
