/** Collects bytes, numbers as big-endian, in memory that grows. */
export class ByteWriter {
  length = 0
  private bytes: Uint8Array

  /** @param expected bytes that will be written, as far as it is known */
  constructor(expected: number) {
    this.bytes = new Uint8Array(expected)
  }

  uint8(value: number): void {
    this.makeRoom(1)
    this.bytes[this.length++] = value
  }

  uint16(value: number): void {
    this.makeRoom(2)
    this.bytes[this.length++] = value >> 8
    this.bytes[this.length++] = value
  }

  add(bytes: Uint8Array): void {
    this.makeRoom(bytes.length)
    this.bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  /** Zeros up to the next multiple of four. */
  align(): void {
    const zeros = -this.length & 3
    this.makeRoom(zeros)
    this.bytes.fill(0, this.length, this.length + zeros)
    this.length += zeros
  }

  finish(): Uint8Array {
    return this.bytes.subarray(0, this.length)
  }

  private makeRoom(more: number): void {
    if (this.length + more <= this.bytes.length) return
    const grown = new Uint8Array(2 * (this.length + more))
    grown.set(this.bytes.subarray(0, this.length))
    this.bytes = grown
  }
}
