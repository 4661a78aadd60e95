/** The two running sums of an Adler-32 checksum (RFC 1950). */
export interface Adler {
  readonly low: number
  readonly high: number
}

const modulus = 65521
/** Sums over so many bytes stay within 31 bits. */
const chunkBytes = 2048

export const emptyAdler: Adler = { low: 1, high: 0 }

export function adlerOf(data: Uint8Array, start: number, end: number, before: Adler = emptyAdler): Adler {
  let { low, high } = before
  for (let at = start; at < end; ) {
    for (const stop = Math.min(end, at + chunkBytes); at < stop; at++) {
      low += data[at] as number
      high += low
    }
    low %= modulus
    high %= modulus
  }
  return { low, high }
}

/** The sums after bytes of which only those before and after them are known, `length` bytes apart, in another stream. */
export function adlerAfter(before: Adler, from: Adler, to: Adler, length: number): Adler {
  const low = before.low + to.low - from.low
  const high = before.high + length * (before.low - from.low) + to.high - from.high
  return { low: remainder(low), high: remainder(high) }
}

function remainder(value: number): number {
  const rest = value % modulus
  return rest < 0 ? rest + modulus : rest
}
