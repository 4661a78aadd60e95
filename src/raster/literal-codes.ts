import { type BitWriter, writeBits } from './bit-writer.ts'
import { huffmanLengths } from './huffman-lengths.ts'

/** The codes of one block of a deflate stream (RFC 1951) that repeats nothing: one for each byte and one for the block's end. */
export interface LiteralCodes {
  /** In bits. */
  readonly lengths: Uint8Array
  /** The code, the first bit lowest, and 16 bits higher its length. */
  readonly codes: Uint32Array
}

const blockEnd = 256
const bitsMax = 15
const distances = 2
/** What `writeBlockHead` takes, in bits. */
export const blockHeadBits = 3 + 14 + 19 * 3 + (blockEnd + 1 + distances) * 4

/** Short codes for frequent bytes. Every byte has a code, so that other bytes than those counted can be written with them. */
export function literalCodes(counts: Uint32Array): LiteralCodes {
  const weights = Uint32Array.from({ length: blockEnd + 1 }, (_, symbol) => (counts[symbol] ?? 0) + 1)
  const lengths = huffmanLengths(weights, bitsMax)
  const codes = new Uint32Array(lengths.length)
  let code = 0
  for (let length = 1; length <= bitsMax; length++) {
    for (let symbol = 0; symbol < lengths.length; symbol++)
      if (lengths[symbol] === length) codes[symbol] = reversed(code++, length) | (length << 16)
    code <<= 1
  }
  return { lengths, codes }
}

/** How long bytes that were counted become, with the head and the end of their block, in bits. */
export function blockBits(counts: Uint32Array, { lengths }: LiteralCodes): number {
  let bits = blockHeadBits + (lengths[blockEnd] as number)
  for (let byte = 0; byte < blockEnd; byte++) bits += (counts[byte] as number) * (lengths[byte] as number)
  return bits
}

/** The lengths of codes are written as plain numbers of 4 bits: a code in which 0 to 15 have the same length. */
export function writeBlockHead(writer: BitWriter, { lengths }: LiteralCodes, isLast: boolean): void {
  writeBits(writer, isLast ? 1 : 0, 1)
  const dynamic = 2
  writeBits(writer, dynamic, 2)
  writeBits(writer, 0, 5)
  writeBits(writer, distances - 1, 5)
  writeBits(writer, 19 - 4, 4)
  // In the order of the format: 16, 17 and 18, which stand for repeats, then 0 to 15.
  for (let place = 0; place < 19; place++) writeBits(writer, place < 3 ? 0 : 4, 3)
  for (const length of lengths) writeBits(writer, reversed(length, 4), 4)
  // No repeats, but two codes for their distances: there are readers that expect them.
  for (let distance = 0; distance < distances; distance++) writeBits(writer, reversed(1, 4), 4)
}

export function writeBlockEnd(writer: BitWriter, { codes }: LiteralCodes): void {
  const code = codes[blockEnd] as number
  writeBits(writer, code & 0xffff, code >>> 16)
}

function reversed(value: number, count: number): number {
  let result = 0
  for (let bit = 0; bit < count; bit++) result |= ((value >> bit) & 1) << (count - 1 - bit)
  return result
}
