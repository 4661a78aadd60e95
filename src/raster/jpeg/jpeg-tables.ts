/** The tables that ITU-T T.81 (JPEG) gives as examples in Annex K, which nearly every encoder uses. */

/** For each place of a block's zigzag order the place in its rows. */
export const zigzag = new Uint8Array([
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7,
  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46,
  53, 60, 61, 54, 47, 55, 62, 63,
])

/** Divisors of coefficients at quality 50, by rows. */
const lightDivisors = [
  16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22,
  29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103,
  121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
]
const colorDivisors = [
  17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99,
  99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
  99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
]

/** The divisors of light and colour at a quality of 1 to 100, by rows. */
export function divisorsAt(quality: number): readonly [light: Uint8Array, color: Uint8Array] {
  const percent = quality < 50 ? Math.floor(5000 / quality) : 200 - 2 * quality
  function scaled(divisors: readonly number[]) {
    return Uint8Array.from(divisors, (each) =>
      Math.min(255, Math.max(1, Math.floor((each * percent + 50) / 100))),
    )
  }
  return [scaled(lightDivisors), scaled(colorDivisors)]
}

/** From this quality on every pixel keeps its own colour; below, four share one, as in most JPEGs. */
const fullColorQualityMin = 90

/** How many pixels share one colour, in both directions. */
export function pixelsPerColor(quality: number): 1 | 2 {
  return quality < fullColorQualityMin ? 2 : 1
}

/** A Huffman code as a file names it: how many codes there are of each length from 1 to 16, and what they stand for. */
export interface CodeTable {
  readonly counts: readonly number[]
  readonly symbols: readonly number[]
}

const steps = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]

/** Codes of the first coefficient, and of the others, whose symbols are the zeros before it and its length in bits. */
export const lightCodes: readonly [CodeTable, CodeTable] = [
  { counts: [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], symbols: steps },
  {
    counts: [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125],
    symbols: hex(
      '01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a3435363738393a434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa',
    ),
  },
]
export const colorCodes: readonly [CodeTable, CodeTable] = [
  { counts: [0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0], symbols: steps },
  {
    counts: [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119],
    symbols: hex(
      '000102031104052131061241510761711322328108144291a1b1c109233352f0156272d10a162434e125f11718191a262728292a35363738393a434445464748494a535455565758595a636465666768696a737475767778797a82838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9fa',
    ),
  },
]

function hex(digits: string): readonly number[] {
  return Array.from({ length: digits.length / 2 }, (_, index) =>
    Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16),
  )
}
