/** Bits in 16-bit words, the first bit lowest, as deflate orders them. */
export interface BitWriter {
  readonly words: Uint16Array
  /** Words that are full. */
  at: number
  /** Fewer than 16 bits behind them. */
  bits: number
  count: number
}

export function createBitWriter(bytesMax: number): BitWriter {
  return { words: new Uint16Array((bytesMax >> 1) + 2), at: 0, bits: 0, count: 0 }
}

/** Writes `count` bits, at most 16. Bits beyond the buffer are dropped: check `bitLength` before. */
export function writeBits(writer: BitWriter, value: number, count: number): void {
  writer.bits |= value << writer.count
  writer.count += count
  if (writer.count < 16) return
  writer.words[writer.at++] = writer.bits
  writer.bits >>>= 16
  writer.count -= 16
}

/** Bytes as codes: each entry of `codes` is a code of at most 15 bits and, 16 bits higher, its length. */
export function writeCodes(
  writer: BitWriter,
  codes: Uint32Array,
  data: Uint8Array,
  start: number,
  end: number,
): void {
  const { words } = writer
  let { at, bits, count } = writer
  for (let from = start; from < end; from++) {
    const code = codes[data[from] as number] as number
    bits |= (code & 0xffff) << count
    count += code >>> 16
    if (count < 16) continue
    words[at++] = bits
    bits >>>= 16
    count -= 16
  }
  writer.at = at
  writer.bits = bits
  writer.count = count
}

/** Bits `from` to `to` of other words. */
export function copyBits(writer: BitWriter, source: Uint16Array, from: number, to: number): void {
  const { words } = writer
  const shift = from & 15
  let { at, bits } = writer
  const { count } = writer
  let word = from >>> 4
  let left = to - from
  for (; left >= 16; left -= 16, word++) {
    const next = (((source[word] as number) | ((source[word + 1] as number) << 16)) >>> shift) & 0xffff
    bits |= next << count
    words[at++] = bits
    bits >>>= 16
  }
  writer.at = at
  writer.bits = bits
  const rest = ((source[word] as number) | ((source[word + 1] ?? 0) << 16)) >>> shift
  writeBits(writer, rest & ((1 << left) - 1), left)
}

export function bitLength({ at, count }: BitWriter): number {
  return at * 16 + count
}

/** The words so far, with the last bits in one more and another behind it, for `copyBits`. */
export function writtenWords({ words, at, bits }: BitWriter): Uint16Array {
  const written = words.slice(0, at + 2)
  written[at] = bits
  written[at + 1] = 0
  return written
}

/** The bytes so far; the last one is filled up with zeros. */
export function writtenBytes(writer: BitWriter): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(bitLength(writer) / 8))
  for (let at = 0; at < bytes.length; at++) {
    const word = at >> 1 < writer.at ? (writer.words[at >> 1] as number) : writer.bits
    bytes[at] = at & 1 ? word >>> 8 : word
  }
  return bytes
}
