/** Bits one after the other, the highest of each word first. `reserve` room before `put`. */
export class BitStream {
  words = new Uint32Array(1 << 14)
  /** Words that are full. */
  #count = 0
  #word = 0
  /** Bits in `#word`, its lowest. */
  #used = 0

  clear(): void {
    this.#count = 0
    this.#used = 0
  }

  /** How many bits there are. */
  get length(): number {
    return this.#count * 32 + this.#used
  }

  /** Makes room for so many more words, so that `put` need not look. */
  reserve(words: number): void {
    const needed = this.#count + words
    if (needed <= this.words.length) return
    const grown = new Uint32Array(Math.max(needed, this.words.length * 2))
    grown.set(this.words)
    this.words = grown
  }

  /** @param length 0 to 27; `bits` has no others */
  put(bits: number, length: number): void {
    const free = 32 - this.#used
    if (length < free) {
      this.#word = (this.#word << length) | bits
      this.#used += length
      return
    }
    const rest = length - free
    this.words[this.#count++] = (this.#word << free) | (bits >>> rest)
    this.#word = bits
    this.#used = rest
  }

  /** Puts the bits of other words from one place to another. */
  putFrom(words: Uint32Array, from: number, to: number): void {
    this.reserve(((to - from) >> 5) + 2)
    let at = from
    for (; at + 16 <= to; at += 16) this.put(bitsAt(words, at) >>> 16, 16)
    if (at < to) this.put(bitsAt(words, at) >>> (32 - (to - at)), to - at)
  }

  /** A copy of the words, with ones behind the last bit. */
  taken(): Uint32Array<ArrayBuffer> {
    this.reserve(1)
    const words = this.words.slice(0, this.#count + 1)
    const free = 32 - this.#used
    words[this.#count] = this.#used === 0 ? 0xffffffff : (this.#word << free) | (0xffffffff >>> this.#used)
    return words
  }
}

/** 32 bits from any place on. */
function bitsAt(words: Uint32Array, at: number): number {
  const index = at >>> 5
  const shift = at & 31
  const first = words[index] as number
  return shift === 0 ? first : (first << shift) | ((words[index + 1] ?? 0) >>> (32 - shift))
}
