import { expect, test } from 'bun:test'
import type { BrandFont, StoredFont } from '../../../src/text/brand-fonts/brand-font.ts'
import { factsText } from '../../../src/text/brand-fonts/font-facts.ts'
import { fontBytesMax } from '../../../src/text/brand-fonts/font-limits.ts'
import { readFont } from '../../../src/text/brand-fonts/read-font.ts'
import { textCacheBytes } from '../../../src/text/cache-bytes.ts'
import { createTextEngine, type TextEngine } from '../../../src/text/text-engine.ts'
import type { TextStyle } from '../../../src/text/types.ts'
import { slowTest } from '../../support/test-size.ts'
import { drawn } from '../support.ts'
import { fontFile } from './fonts.ts'

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
  return engine.draw(
    styles.map((style) => ({ text, style })),
    (fitter) =>
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
