/** Reads big-endian numbers one after the other. Throws a RangeError at the end of the bytes. */
export class ByteReader {
  readonly bytes: Uint8Array
  /** The offset of what is read next. */
  at = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  uint8(): number {
    const byte = this.bytes[this.at++]
    if (byte === undefined) throw new RangeError('The bytes end too early')
    return byte
  }

  uint16(): number {
    return (this.uint8() << 8) | this.uint8()
  }

  uint32(): number {
    return this.uint16() * 0x10000 + this.uint16()
  }

  /** The number that WOFF2 calls 255UInt16. */
  packed16(): number {
    const code = this.uint8()
    if (code === 253) return this.uint16()
    if (code === 254) return this.uint8() + 506
    return code === 255 ? this.uint8() + 253 : code
  }

  take(length: number): Uint8Array {
    const start = this.at
    this.at += length
    if (this.at > this.bytes.length) throw new RangeError('The bytes end too early')
    return this.bytes.subarray(start, this.at)
  }
}
