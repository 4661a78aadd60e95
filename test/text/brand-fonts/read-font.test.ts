import { describe, expect, test } from 'bun:test'
import {
  type BrandFont,
  factsOf,
  factsText,
  type StoredFont,
} from '../../../src/text/brand-fonts/brand-font.ts'
import { fontBytesMax, fontFileBytesMax } from '../../../src/text/brand-fonts/font-limits.ts'
import { readFont } from '../../../src/text/brand-fonts/read-font.ts'
import { readTables } from '../../../src/text/brand-fonts/sfnt.ts'
import { textCacheBytes } from '../../../src/text/cache-bytes.ts'
import { createTextEngine, type TextEngine } from '../../../src/text/text-engine.ts'
import type { TextStyle } from '../../../src/text/types.ts'
import { sampleOf, slowTest } from '../../support/test-size.ts'
import { drawn } from '../support.ts'
import { fontFile, plainFont, withoutTable, withTables } from './fonts.ts'
import cases from './read-font.json' with { type: 'json' }

function refusal(file: Uint8Array): Promise<string> {
  return readFont(file).then(
    () => 'was taken',
    (error: Error) => `${error.name}: ${error.message}`,
  )
}

function withLicence(font: Uint8Array, bits: number): Uint8Array {
  return withTables(font, { 'OS/2': (table) => table.setUint16(8, bits) })
}

describe('A font of somebody is read', () => {
  slowTest('from WOFF2 and TTF to the same font, and again from what was kept', async () => {
    const font = await readFont(await fontFile('newsreader'))
    const { family, unitsPerEm, has, placesMark, axes } = factsOf(font)
    expect({ family, unitsPerEm }).toEqual({ family: 'Newsreader 16pt', unitsPerEm: 2000 })
    expect(axes).toEqual([
      { tag: 'wght', min: 200, usual: 400, max: 800 },
      { tag: 'opsz', min: 6, usual: 18, max: 72 },
    ])
    expect([0x41, 0x20, 0xe9, 0x2026, 0x416, 0x5d0].map(has)).toEqual([true, true, true, true, false, false])
    expect(placesMark(0x65, 0x301)).toBe(true)
    const again = await readFont(font.bytes)
    expect(again.key).toBe(font.key)
    expect((await readFont(await plainFont('newsreader'))).key).toBe(font.key)
    expect(font.key).toMatch(/^[0-9a-f]{64}$/)
  })

  slowTest('from OTF with PostScript outlines', async () => {
    const font = await readFont(await fontFile('postScript'))
    expect([...readTables(font.bytes).keys()]).toContain('CFF ')
    expect(factsOf(font)).toMatchObject({ family: 'Noto Sans', axes: [] })
    expect([0x41, 0x3b1, 0x416].map(factsOf(font).has)).toEqual([true, true, true])
  })

  slowTest('with the weight that a static one looks like, for ours beside it', async () => {
    const weights = [
      ['condensedSerif', 400],
      ['condensedSerifBold', 600],
      ['extraLight', 400],
      ['newsreader', undefined],
    ] as const
    for (const [name, weight] of sampleOf(weights, 4))
      expect([name, factsOf(await readFont(await fontFile(name))).weight]).toEqual([name, weight])
  })

  test('with nothing in it but what drawing needs', async () => {
    const font = await readFont(await fontFile('condensedSerif'))
    const unneeded = ['fpgm', 'prep', 'cvt ', 'FFTM', 'post', 'gasp']
    expect([...readTables(font.bytes).keys()].filter((tag) => unneeded.includes(tag))).toEqual([])
    expect(font.bytes.length).toBeLessThan((await fontFile('condensedSerif')).length)
  })
})

describe('A font that may not be embedded is refused with that reason', () => {
  const licences = cases.licences as [bits: number, outcome: string, meaning: string][]
  // The first is taken, the last is not.
  test.each(sampleOf(licences, licences.length - 1))('fsType %p: %s (%s)', async (bits, outcome) => {
    expect(await refusal(withLicence(await plainFont('mono'), bits))).toBe(outcome)
  })

  test('so is one that says nothing about it', async () => {
    const expected = 'FontRefused: does not say whether it may be embedded'
    expect(await refusal(withoutTable(await plainFont('mono'), 'OS/2'))).toStartWith(expected)
  })
})

describe('What is no font is refused before anything else looks at it', () => {
  const text = new TextEncoder()
  const notFont = 'FontRefused: is not a font: WOFF2, TTF or OTF'
  test.each<[string, Uint8Array, string]>([
    ['nothing', new Uint8Array(0), 'FontRefused: is empty'],
    ['a text', text.encode('Hello, I am a font. Trust me.'), notFont],
    ['an SVG', text.encode('<svg xmlns="http://www.w3.org/2000/svg"/>'), notFont],
    [
      'WOFF',
      text.encode('wOFF\0\x01\0\0aaaaaaaaaaaaaaaaaaaaaaaa'),
      'FontRefused: is WOFF; fonts are WOFF2, TTF or OTF',
    ],
    [
      'a collection',
      text.encode('ttcf\0\x01\0\0\0\0\0\x01aaaaaaaaaaaaaaaaaaaaaaaaa'),
      'FontRefused: is a collection of fonts; only a single font can be used',
    ],
    [
      'a collection as WOFF2',
      text.encode(`wOF2ttcf${'\0'.repeat(60)}`),
      'FontRefused: is a collection of fonts; only a single font can be used',
    ],
    ['one byte too many', new Uint8Array(fontFileBytesMax + 1), 'FontRefused: is larger than 2 MiB'],
  ])('%s', async (_, file, reason) => {
    expect(await refusal(file)).toBe(reason)
  })

  test('what was kept may be larger than what is brought, where it is said so', async () => {
    const large = withTables(await plainFont('mono'), {
      zzzz: () => new DataView(new ArrayBuffer(fontFileBytesMax)),
    })
    expect(await refusal(large)).toBe('FontRefused: is larger than 2 MiB')
    expect((await readFont(large, { bytesMax: fontBytesMax })).bytes.length).toBeLessThan(100_000)
  })
})

const font = await readFont(await fontFile('mono'))
/** Twice the number of largest fonts that fit in the cache together. */
const many = 6

/** Fonts in a database, which counts how often each is read. */
function stored({ bytes }: BrandFont, key: string) {
  const large = new Uint8Array(fontBytesMax)
  large.set(bytes)
  const reads = { count: 0 }
  const one: StoredFont = {
    key,
    facts: factsText(bytes),
    read: async () => {
      reads.count += 1
      return large.slice()
    },
  }
  return { font: one, reads }
}

async function outlines(engine: TextEngine, fonts: readonly StoredFont[], text: string) {
  const styles = fonts.map((one): TextStyle => ({ family: 'sans', weight: 700, font: one }))
  const texts = styles.map((style) => ({ text, style }))
  return engine.draw(texts, (fitter) =>
    styles.map((style) => fitter.line(text, style, 60).lines.flatMap(({ pieces }) => pieces.map(drawn))),
  )
}

test('a font that was dropped for others is read again and draws the same', async () => {
  const engine = createTextEngine()
  const { font: first, reads } = stored(font, 'first')
  const before = await outlines(engine, [first], 'How we cut cold starts')
  await outlines(engine, [first], 'Another title')
  expect(reads.count).toBe(1)
  for (let n = 0; n < many; n += 1)
    await outlines(engine, [stored(font, `other ${n}`).font], 'Something else')
  // Not the words that are kept: every letter again.
  const again = await outlines(engine, [first], 'stra dloc tuc ew woH')
  expect(reads.count).toBe(2)
  expect(again.flat().join('').length).toBeGreaterThan(100)
  expect(await outlines(engine, [first], 'How we cut cold starts')).toEqual(before)
})

slowTest('cards whose fonts do not fit together are all drawn, within the budget', async () => {
  const engine = createTextEngine()
  const fonts = Array.from({ length: many }, (_, n) => stored(font, `font ${n}`).font)
  const pairs = fonts.map((one, n) => [one, fonts[(n + 1) % many] ?? one])
  const cards = await Promise.all(
    [...pairs, ...pairs.toReversed()].map((pair, n) => outlines(engine, pair, `Title ${n % 10}`)),
  )
  for (const [one, other] of cards) {
    expect(one?.join('').length).toBeGreaterThan(100)
    expect(other).toEqual(one ?? [])
  }
  expect(engine.cachedBytes().fonts).toBeLessThanOrEqual(textCacheBytes.fonts + textCacheBytes.brandFonts)
  // Freed memory is used again: twice as many fonts leave it as large.
  const { harfbuzzHeap } = engine.cachedBytes()
  await Promise.all(pairs.map((pair, n) => outlines(engine, pair, `Again ${n}`)))
  expect(engine.cachedBytes().harfbuzzHeap).toBe(harfbuzzHeap)
  expect(harfbuzzHeap).toBeLessThan(40 * 2 ** 20)
})
