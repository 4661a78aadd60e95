import { damaged, FontRefused } from './font-refused.ts'
import type { FontTables } from './sfnt.ts'

/** Limit of one glyph, in bytes: some of it may be calls of shared parts, whose depth and number HarfBuzz bounds. */
const charStringBytesMax = 40_000
const operators = { charStrings: 17 } as const

/** Checks the frame of PostScript outlines: lists lie within the table, and there is an outline for each glyph. */
export function checkCff(tables: FontTables, glyphs: number): void {
  const cff = tables.get('CFF ')
  const cff2 = tables.get('CFF2')
  if (cff !== undefined) checkFirst(cff, glyphs)
  else if (cff2 !== undefined) checkSecond(cff2, glyphs)
}

function checkFirst(cff: DataView, glyphs: number): void {
  if (cff.getUint8(0) !== 1) throw damaged('CFF')
  const names = readIndex(cff, cff.getUint8(2), 2)
  const tops = readIndex(cff, names.end, 2)
  const strings = readIndex(cff, tops.end, 2)
  readIndex(cff, strings.end, 2)
  if (names.count !== 1 || tops.count !== 1)
    throw new FontRefused('is a collection of fonts; only a single font can be used')
  checkCharStrings(cff, tops.start, tops.end, 2, glyphs)
}

function checkSecond(cff: DataView, glyphs: number): void {
  if (cff.getUint8(0) !== 2) throw damaged('CFF2')
  const start = cff.getUint8(2)
  const end = start + cff.getUint16(3)
  readIndex(cff, end, 4)
  checkCharStrings(cff, start, end, 4, glyphs)
}

function checkCharStrings(
  cff: DataView,
  start: number,
  end: number,
  countBytes: 2 | 4,
  glyphs: number,
): void {
  const offset = readDict(cff, start, end).get(operators.charStrings)
  if (offset === undefined || offset <= 0) throw damaged('CFF')
  const { count, longest } = readIndex(cff, offset, countBytes)
  if (count !== glyphs) throw damaged('CFF')
  if (longest > charStringBytesMax) throw new FontRefused('has a glyph with an outline that is too long')
}

/** A list of byte strings: where the first starts, where the last ends. */
function readIndex(cff: DataView, at: number, countBytes: 2 | 4) {
  const count = countBytes === 2 ? cff.getUint16(at) : cff.getUint32(at)
  const head = at + countBytes
  if (count === 0) return { count, start: head, end: head, longest: 0 }
  const size = cff.getUint8(head)
  const data = head + 1 + (count + 1) * size
  if (size < 1 || size > 4 || data > cff.byteLength) throw damaged('CFF')
  function offsetAt(index: number): number {
    let offset = 0
    for (let byte = 0; byte < size; byte++)
      offset = offset * 256 + cff.getUint8(head + 1 + index * size + byte)
    return offset
  }
  let last = offsetAt(0)
  let longest = 0
  if (last !== 1) throw damaged('CFF')
  for (let index = 1; index <= count; index++) {
    const offset = offsetAt(index)
    if (offset < last) throw damaged('CFF')
    longest = Math.max(longest, offset - last)
    last = offset
  }
  if (data - 1 + last > cff.byteLength) throw damaged('CFF')
  return { count, start: data, end: data - 1 + last, longest }
}

/** The last operand of each operator. */
function readDict(cff: DataView, start: number, end: number): Map<number, number> {
  const found = new Map<number, number>()
  let operand = 0
  for (let at = start; at < end; ) {
    const byte = cff.getUint8(at++)
    if (byte <= 21 || (byte >= 22 && byte <= 27)) {
      found.set(byte === 12 ? 1200 + cff.getUint8(at++) : byte, operand)
    } else if (byte === 28) {
      operand = cff.getInt16(at)
      at += 2
    } else if (byte === 29) {
      operand = cff.getInt32(at)
      at += 4
    } else if (byte === 30) {
      while ((cff.getUint8(at) & 15) !== 15 && cff.getUint8(at) >> 4 !== 15) at++
      at++
    } else if (byte <= 246) operand = byte - 139
    else if (byte <= 250) operand = (byte - 247) * 256 + cff.getUint8(at++) + 108
    else operand = -(byte - 251) * 256 - cff.getUint8(at++) - 108
  }
  return found
}
