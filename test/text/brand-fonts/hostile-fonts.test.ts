import { describe, expect, test } from 'bun:test'
import { checkFont } from '../../../src/text/brand-fonts/check-font.ts'
import { FontRefused } from '../../../src/text/brand-fonts/font-limits.ts'
import { readFont } from '../../../src/text/brand-fonts/read-font.ts'
import { readTables, viewOf } from '../../../src/text/brand-fonts/sfnt.ts'
import { sampleOf, sampleSize } from '../../support/test-size.ts'
import { generator } from '../texts.ts'
import { fontFile, plainFont, withoutTable, withTables } from './fonts.ts'

/** Fonts that are changed at random, of each kind. */
const mutants = sampleSize(6, 1)

/** The reason, or `kept`. Anything that is not a refusal is a fault of the check. */
async function outcome(file: Uint8Array): Promise<string> {
  try {
    await checkFont(file)
    return 'kept'
  } catch (error) {
    if (error instanceof FontRefused) return error.message
    throw error
  }
}

describe('A damaged font is refused, or drawn as far as it goes', () => {
  test('cut at the edge of every table, and in the middle of it', async () => {
    const font = await plainFont('mono')
    const edges = [...readTables(font).values()].flatMap(({ byteOffset, byteLength }) => [
      byteOffset,
      byteOffset + (byteLength >> 1),
      byteOffset + byteLength - 1,
    ])
    const bytes = new Set(edges.map((edge) => edge - font.byteOffset))
    for (const length of [...bytes, 0, 1, 4, 11, 12, 13, 27, 28]) {
      expect([length, await outcome(font.subarray(0, length))]).not.toEqual([length, 'kept'])
    }
  })

  test('without any one of the tables that every font needs', async () => {
    const font = await plainFont('mono')
    for (const tag of ['head', 'hhea', 'maxp', 'hmtx', 'cmap', 'loca', 'glyf'])
      expect([tag, await outcome(withoutTable(font, tag))]).not.toEqual([tag, 'kept'])
  })

  test.each(['mono', 'postScript', 'arabic'] as const)('changed at random: %s', async (name) => {
    const random = generator(7)
    const file = await fontFile(name)
    const font = name === 'postScript' ? new Uint8Array(file) : await plainFont(name)
    const tables = [...readTables(font).values()]
    for (let count = 0; count < mutants; count++) {
      const bytes = Uint8Array.from(font)
      for (let change = 0; change < 1 + random(20); change++) {
        // Half of the changes are made at the start of a table, where its frame is.
        const table = tables[random(tables.length)]
        const reach = random(2) === 0 ? 64 : (table?.byteLength ?? 1)
        bytes[(table?.byteOffset ?? 0) - font.byteOffset + random(Math.min(reach, table?.byteLength ?? 1))] =
          random(256)
      }
      await outcome(bytes)
    }
  })

  test('WOFF2 changed at random', async () => {
    const random = generator(8)
    const file = await fontFile('mono')
    for (let count = 0; count < mutants; count++) {
      const bytes = Uint8Array.from(file)
      for (let change = 0; change < 1 + random(4); change++)
        bytes[random(random(2) === 0 ? 200 : bytes.length)] = random(256)
      await outcome(bytes)
    }
  })
})

describe('A font that is made to cost much is refused', () => {
  test('glyphs that are parts of themselves, of each other, and of too many', async () => {
    const font = await plainFont('mono')
    const composite = (...parts: number[]) =>
      parts.flatMap((part, index) => [0, index === parts.length - 1 ? 2 : 0x22, part >> 8, part & 255, 0, 0])
    function withGlyphs(glyphs: readonly (readonly number[])[]): Uint8Array {
      const count = viewOf(font).byteLength && (readTables(font).get('maxp')?.getUint16(4) ?? 0)
      const bytes: number[] = []
      const offsets = Array.from({ length: count + 1 }, (_, index) => {
        const start = bytes.length
        const parts = glyphs[index]
        if (parts !== undefined) bytes.push(255, 255, 0, 0, 0, 0, 0, 0, 0, 0, ...composite(...parts))
        return start
      })
      const loca = new DataView(new ArrayBuffer(offsets.length * 4))
      for (const [index, offset] of offsets.entries()) loca.setUint32(index * 4, offset)
      return withTables(font, {
        head: (head) => head.setInt16(50, 1),
        loca: () => loca,
        glyf: () => viewOf(Uint8Array.from(bytes)),
      })
    }
    expect(await outcome(withGlyphs([[0]]))).toBe('has a glyph that is a part of itself')
    expect(await outcome(withGlyphs([[1], [2], [0]]))).toBe('has a glyph that is a part of itself')
    expect(await outcome(withGlyphs(Array.from({ length: 12 }, (_, index) => [index + 1])))).toContain(
      'too many deep',
    )
    // Each level has the next one many times: 2^60 parts in all.
    const wide = Array.from({ length: 6 }, (_, index) => Array.from({ length: 200 }, () => index + 1))
    expect(await outcome(withGlyphs(wide))).toContain('parts; at most')
    expect(await outcome(withGlyphs([[60_000]]))).toContain('is damaged')
  })

  test('65,535 glyphs that are not there, and that are', async () => {
    const font = await plainFont('mono')
    const claims = withTables(font, { maxp: (maxp) => maxp.setUint16(4, 65_535) })
    expect(await outcome(claims)).toBe('has 65535 glyphs; at most 40000 are allowed')
    const some = withTables(font, { maxp: (maxp) => maxp.setUint16(4, 30_000) })
    expect(await outcome(some)).toContain('is damaged')
  })

  test('one glyph for every character', async () => {
    // One map of format 13 with one group, of which every character is glyph 5.
    const lastResort = words(0, 1, 3, 10, 0, 12, 13, 0, 0, 28, 0, 0, 0, 1, 0, 0, 0x10, 0xffff, 0, 5)
    const font = withTables(await plainFont('mono'), { cmap: () => viewOf(lastResort) })
    expect(await outcome(font)).toContain('draws one glyph for whole ranges of characters')
  })

  test('letters without ink', async () => {
    const font = withTables(await plainFont('mono'), {
      loca: (loca) => new DataView(new ArrayBuffer(loca.byteLength)),
    })
    expect(await outcome(font)).toBe('draws no letter and no digit')
  })

  test('letters that grow by substitution', async () => {
    const grows = growingLookup(await glyphOf('A'), 60)
    const font = withTables(await plainFont('mono'), { GSUB: () => grows })
    expect(await outcome(font)).toBe('makes too many glyphs of a few characters')
  })

  test('letters larger than a card', async () => {
    const font = withTables(await plainFont('mono'), { head: (head) => head.setUint16(18, 16) })
    expect(await outcome(font)).not.toBe('kept')
  })

  test('a stream that unpacks to more than it says is not unpacked further', async () => {
    const file = Uint8Array.from(await fontFile('mono'))
    const { brotliCompressSync, brotliDecompressSync, constants } = await import('node:zlib')
    const view = viewOf(file)
    const streamLength = view.getUint32(20)
    const start = file.findIndex(
      (_, at) => at > 48 && at + streamLength <= file.length && isStream(file, at, streamLength),
    )
    const bomb = brotliCompressSync(Buffer.alloc(60 * 2 ** 20), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
    })
    expect(brotliDecompressSync(file.subarray(start, start + streamLength)).length).toBeGreaterThan(1000)
    const made = Buffer.concat([file.subarray(0, start), bomb])
    made.writeUInt32BE(made.length, 8)
    made.writeUInt32BE(bomb.length, 20)
    const before = process.memoryUsage().rss
    expect(await outcome(made)).toBe('is damaged: it cannot be unpacked')
    expect(process.memoryUsage().rss - before).toBeLessThan(40 * 2 ** 20)

    function isStream(bytes: Uint8Array, at: number, length: number): boolean {
      try {
        return brotliDecompressSync(bytes.subarray(at, at + length)).length > 1000
      } catch {
        return false
      }
    }
  })

  test('a check that takes too long ends with its process', async () => {
    const error = await readFont(await fontFile('interVariable'), { wallMsMax: 1 }).catch(
      (thrown: Error) => thrown,
    )
    expect(String(error)).toBe('FontRefused: takes too long to check')
  })
})

async function glyphOf(letter: string): Promise<number> {
  const { createHarfBuzz } = await import('../../../src/text/harfbuzz.ts')
  const { harfbuzzFile, readFontFileSync } = await import('../../../src/text/font-files.ts')
  const face = createHarfBuzz(readFontFileSync(harfbuzzFile)).createFace(await plainFont('mono'))
  return face.font({}).glyphOf(letter.codePointAt(0) ?? 0)
}

/** A table GSUB with one lookup, for every text: it makes `count` glyphs of one. */
function growingLookup(glyph: number, count: number): DataView {
  const table = words(
    // Version, offsets of the lists of scripts, features, lookups.
    ...[1, 0, 10, 30, 44],
    // One script "DFLT" with the feature 0.
    ...[1, 0x4446, 0x4c54, 8, 4, 0, 0, 0xffff, 1, 0],
    // One feature "ccmp" with the lookup 0.
    ...[1, 0x6363, 0x6d70, 8, 0, 1, 0],
    // One lookup of type 2, multiple substitution.
    ...[1, 4, 2, 0, 1, 8],
    // Its subtable: coverage, and one sequence.
    ...[1, 8, 1, 14, 1, 1, glyph, count, ...Array.from({ length: count }, () => glyph)],
  )
  return viewOf(table)
}

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
    const head = [1, 0, 0, 1, 0, 8 + 400, 1, 0, 4, 10, 16, 80, 200, 0, 4, 0x0404, 0x0404]
    return words(...head, ...states, 16, 0x4000)
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
