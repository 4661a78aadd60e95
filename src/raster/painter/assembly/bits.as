/** Bits are written from the lowest one of a byte on, as both deflate and WebP read them. */
let pending: u64 = 0
let pendingBits: u64 = 0
/** Where the next whole bytes go. */
let out: usize = 0

export function startBits(at: usize): void {
  out = at
  pending = 0
  pendingBits = 0
}

/** Writes the lowest `count` bits of a value that has no others; at most 32. */
// @ts-ignore: decorator
@inline
export function putBits(value: u32, count: u32): void {
  pending |= <u64>value << pendingBits
  pendingBits += <u64>count
  if (pendingBits >= 32) {
    store<u32>(out, <u32>pending)
    out += 4
    pending >>= 32
    pendingBits -= 32
  }
}

/** Writes the symbols of bytes, two at a time, by u32 codes and u8 lengths of at most 15. Eight bytes behind them are written too. */
export function putBytes(from: usize, end: usize, codes: usize, lengths: usize): void {
  let bits = pending
  let count = pendingBits
  let to = out
  for (let at = from; at < end; at++) {
    const first = <usize>load<u8>(at)
    bits |= <u64>load<u32>(codes + (first << 2)) << count
    count += <u64>load<u8>(lengths + first)
    if (++at < end) {
      const second = <usize>load<u8>(at)
      bits |= <u64>load<u32>(codes + (second << 2)) << count
      count += <u64>load<u8>(lengths + second)
    }
    store<u64>(to, bits)
    to += <usize>(count >> 3)
    bits >>= count & ~7
    count &= 7
  }
  pending = bits
  pendingBits = count
  out = to
}

/** The address behind the bytes that are written so far. */
export function endOfBits(): usize {
  return out
}

/** Completes the last byte. Returns the address behind it. */
export function endBits(): usize {
  while (pendingBits > 0) {
    store<u8>(out, <u8>pending)
    out++
    pending >>= 8
    pendingBits = pendingBits > 8 ? pendingBits - 8 : 0
  }
  return out
}
