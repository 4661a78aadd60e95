import type { BitStream } from './bit-stream.ts'
import { type CodeTable, zigzag } from './jpeg-tables.ts'

/**
 * How many times too large each row and column of the fast transform below is: 1, then the square root of 2 times the
 * cosine of k / 16 of a half turn. In digits, because runtimes differ in the last one of a cosine.
 */
const excess = [
  1, 1.3870398453221475, 1.3065629648763766, 1.1758756024193588, 1, 0.7856949583871022, 0.5411961001461969,
  0.2758993792829431,
]

const quarter = Math.SQRT1_2
/** Sine of an eighth of a half turn, and its cosine less and plus that. */
const eighth = 0.3826834323650898
const low = 0.5411961001461969
const high = 1.3065629648763766

const coefficients = new Int16Array(64)

/** The codes of one kind of block, and what its coefficients are divided by. */
export class BlockCoder {
  /** In zigzag order; each brings the transform's own factor with it. */
  readonly #factors: Float64Array
  readonly #first: Codes
  readonly #others: Codes

  constructor(divisors: Uint8Array, [first, others]: readonly [CodeTable, CodeTable]) {
    this.#factors = Float64Array.from(zigzag, (place) => {
      const scale = (excess[place >> 3] as number) * (excess[place & 7] as number) * 8
      return 1 / ((divisors[place] as number) * scale)
    })
    this.#first = codesOf(first)
    this.#others = codesOf(others)
  }

  /**
   * Writes the 64 samples from `start` on, which are less than 128 from zero and are overwritten. Returns the first
   * coefficient, from which the next block goes on.
   */
  write(bits: BitStream, samples: Float64Array, start: number, before: number): number {
    transform(samples, start)
    const factors = this.#factors
    let last = 0
    for (let k = 0; k < 64; k++) {
      const value = (samples[start + (zigzag[k] as number)] as number) * (factors[k] as number)
      const rounded = ((value + 16_384.5) | 0) - 16_384
      coefficients[k] = rounded
      if (rounded !== 0) last = k
    }
    const first = coefficients[0] as number
    putValue(bits, this.#first, 0, first - before)
    this.#writeOthers(bits, last)
    return first
  }

  #writeOthers(bits: BitStream, last: number): void {
    const others = this.#others
    let zeros = 0
    for (let k = 1; k <= last; k++) {
      const value = coefficients[k] as number
      if (value === 0) {
        zeros++
        continue
      }
      for (; zeros > 15; zeros -= 16)
        bits.put(others.codes[sixteenZeros] as number, others.lengths[sixteenZeros] as number)
      putValue(bits, others, zeros << 4, value)
      zeros = 0
    }
    if (last < 63) bits.put(others.codes[0] as number, others.lengths[0] as number)
  }
}

const sixteenZeros = 0xf0

/** Codes and their lengths in bits, indexed by symbol. */
interface Codes {
  readonly codes: Uint16Array
  readonly lengths: Uint8Array
}

function codesOf({ counts, symbols }: CodeTable): Codes {
  const table = { codes: new Uint16Array(256), lengths: new Uint8Array(256) }
  let code = 0
  let index = 0
  for (const [shorter, count] of counts.entries()) {
    for (let i = 0; i < count; i++) {
      const symbol = symbols[index++] as number
      table.codes[symbol] = code++
      table.lengths[symbol] = shorter + 1
    }
    code <<= 1
  }
  return table
}

/** Puts a code and, behind it, the value in as few bits as it needs; a negative one less 1. */
function putValue(bits: BitStream, { codes, lengths }: Codes, zeros: number, value: number): void {
  const size = 32 - Math.clz32(value < 0 ? -value : value)
  const symbol = zeros | size
  const rest = (value < 0 ? value - 1 : value) & ((1 << size) - 1)
  bits.put(((codes[symbol] as number) << size) | rest, (lengths[symbol] as number) + size)
}

/** The cosine transform of 8 by 8 samples after Arai, Agui and Nakajima, too large by `excess`. */
function transform(samples: Float64Array, start: number): void {
  for (let at = start; at < start + 64; at += 8) transformLine(samples, at, 1)
  for (let at = start; at < start + 8; at++) transformLine(samples, at, 8)
}

function transformLine(line: Float64Array, at: number, step: number): void {
  const at1 = at + step
  const at2 = at1 + step
  const at3 = at2 + step
  const at4 = at3 + step
  const at5 = at4 + step
  const at6 = at5 + step
  const at7 = at6 + step
  const sum07 = (line[at] as number) + (line[at7] as number)
  const sum16 = (line[at1] as number) + (line[at6] as number)
  const sum25 = (line[at2] as number) + (line[at5] as number)
  const sum34 = (line[at3] as number) + (line[at4] as number)
  const far07 = (line[at] as number) - (line[at7] as number)
  const far16 = (line[at1] as number) - (line[at6] as number)
  const far25 = (line[at2] as number) - (line[at5] as number)
  const far34 = (line[at3] as number) - (line[at4] as number)

  const outer = sum07 + sum34
  const inner = sum16 + sum25
  const outerFar = sum07 - sum34
  const turned = (sum16 - sum25 + outerFar) * quarter
  line[at] = outer + inner
  line[at4] = outer - inner
  line[at2] = outerFar + turned
  line[at6] = outerFar - turned

  const odd0 = far34 + far25
  const odd1 = (far25 + far16) * quarter
  const odd2 = far16 + far07
  const shared = (odd0 - odd2) * eighth
  const odd0Turned = odd0 * low + shared
  const odd2Turned = odd2 * high + shared
  const plus = far07 + odd1
  const minus = far07 - odd1
  line[at5] = minus + odd0Turned
  line[at3] = minus - odd0Turned
  line[at1] = plus + odd2Turned
  line[at7] = plus - odd2Turned
}
