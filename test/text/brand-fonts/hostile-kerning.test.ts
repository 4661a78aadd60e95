import { expect, test } from 'bun:test'
import { FontRefused } from '../../../src/text/brand-fonts/font-refused.ts'
import { readFont } from '../../../src/text/brand-fonts/read-font.ts'
import { viewOf } from '../../../src/text/brand-fonts/sfnt.ts'
import { sampleOf } from '../../support/test-size.ts'
import { plainFont, withoutTable, withTables } from './fonts.ts'

/** Each font is read in a process of its own, some half second each. */
const hostile: Readonly<Record<string, () => Uint8Array>> = {
  '65,535 subtables without a length, so that each begins where the one before did': () =>
    words(0, 65_535, ...Array.from({ length: 300 }, () => [0, 0, 1]).flat()),
  '4,294,967,295 subtables in the form of Apple': () => words(1, 0, 65_535, 65_535, 0, 8, 0, 0),
  'a subtable of 10,000 pairs that says it has 65,535, and moves letters by 32 em': () =>
    words(0, 1, 0, 14 + 60_000, 1, 65_535, 0, 0, 0, ...pairs(100)),
  'pairs in no order, each of which moves a letter far': () =>
    words(0, 1, 0, 14 + 60_000, 1, 10_000, 49_152, 13, 10_000, ...pairs(100).reverse()),
  'states that lead to themselves without a letter in between': () => {
    const states = Array.from({ length: 64 }, () => 0)
    // One class for every letter, all states at 16, all actions at 80: the same state again, without moving on.
    return words(
      1,
      0,
      0,
      1,
      0,
      8 + 400,
      1,
      0,
      4,
      10,
      16,
      80,
      200,
      0,
      4,
      0x0404,
      0x0404,
      ...states,
      16,
      0x4000,
    )
  },
  'random bytes': () => {
    let seed = 1
    return Uint8Array.from({ length: 60_000 }, (_, at) => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
      return at < 6 ? ([0, 0, 0, 9, 0, 0][at] ?? 0) : seed >> 16
    })
  },
}

test.each(sampleOf(Object.entries(hostile), 3))(
  'a font with a hostile table of kerning is refused or drawn, in bounded time: %s',
  async (_name, kern) => {
    const bare = withoutTable(withoutTable(await plainFont('mono'), 'GPOS'), 'GSUB')
    const table = viewOf(kern())
    const font = withTables(bare, { kern: () => table })
    const read = await readFont(font).catch((error: unknown) => error)
    const isDrawn = read instanceof Object && 'bytes' in read
    expect(isDrawn || (read instanceof FontRefused && !read.message.includes('too long'))).toBe(true)
  },
)

function words(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 2)
  const view = viewOf(bytes)
  for (const [index, value] of values.entries()) view.setUint16(index * 2, value & 0xffff)
  return bytes
}

/** Left glyph, right glyph, and how far they are moved apart. */
function pairs(side: number): number[] {
  return Array.from({ length: side * side }, (_, index) => [
    Math.floor(index / side),
    index % side,
    index % 2 === 0 ? 32_767 : -32_768,
  ]).flat()
}
