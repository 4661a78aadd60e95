const modulus: u32 = 65521
/** Sums of so many bytes, a multiple of 16, fit 32 bits. */
const chunkBytes: usize = 5536

export const adlerOfNothing: u32 = 1

/**
 * The checksum of zlib streams: the sum of all bytes, and the sum of these sums after each byte. `before` is that of the bytes
 * that stand before these.
 */
export function adler32(before: u32, from: usize, bytes: usize): u32 {
  const weights = i8x16(16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)
  const lowWeights = i16x8.extend_low_i8x16_u(weights)
  const highWeights = i16x8.extend_high_i8x16_u(weights)
  let a: u32 = before & 0xffff
  let b: u32 = before >>> 16
  const end = from + bytes
  for (let at = from; at < end; ) {
    const stop = min(end, at + chunkBytes)
    let sums = i32x4.splat(0)
    let weighted = i32x4.splat(0)
    for (; at + 16 <= stop; at += 16) {
      const low = i16x8.extend_low_i8x16_u(v128.load(at))
      const high = i16x8.extend_high_i8x16_u(v128.load(at))
      b += a << 4
      weighted = i32x4.add(weighted, i32x4.shl(sums, 4))
      weighted = i32x4.add(weighted, i32x4.dot_i16x8_s(low, lowWeights))
      weighted = i32x4.add(weighted, i32x4.dot_i16x8_s(high, highWeights))
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.add(low, high)))
    }
    a += total(sums)
    b += total(weighted)
    for (; at < stop; at++) {
      a += <u32>load<u8>(at)
      b += a
    }
    a %= modulus
    b %= modulus
  }
  return (b << 16) | a
}

function total(lanes: v128): u32 {
  return (
    i32x4.extract_lane(lanes, 0) +
    i32x4.extract_lane(lanes, 1) +
    i32x4.extract_lane(lanes, 2) +
    i32x4.extract_lane(lanes, 3)
  )
}
