import { describe, expect, test } from 'bun:test'
import { blockPath } from '../../src/text/block-path.ts'
import { baseDirection } from '../../src/text/direction.ts'
import { itemize } from '../../src/text/itemize.ts'
import { createTextEngine } from '../../src/text/text-engine.ts'
import type { Family, FitRequest } from '../../src/text/types.ts'
import { woff2Ready } from '../../src/text/woff2.ts'
import { sampleOf } from '../support/test-size.ts'
import rareScripts from './rare-scripts.json' with { type: 'json' }
import { bold, drawn, fit, line, pathBounds } from './support.ts'
import { cardTexts, hostileTexts, type Sample } from './texts.ts'

await woff2Ready

/** A few words of each script whose font few texts need, and the direction in which it is set. */
const scripts = rareScripts as unknown as readonly (readonly [
  script: string,
  words: string,
  direction: 'ltr' | 'rtl',
])[]

describe('Rare scripts have a font', () => {
  for (const [script, words, direction] of scripts) {
    test(script, async () => {
      expect(baseDirection(words)).toBe(direction)
      for (const family of ['sans', 'serif', 'mono'] as const) {
        const { items } = itemize({ text: words, family, lang: undefined, direction })
        expect(items.filter(({ kind }) => kind !== 'word' && kind !== 'space')).toEqual([])
        const fonts = items.flatMap((item) => (item.kind === 'word' ? [item.file.packageName] : []))
        if (script !== 'Hong Kong' && script !== 'Lisu') expect(new Set(fonts).size).toBe(1)
      }
      const { lines, widthPx } = await line(words)
      expect(widthPx).toBeGreaterThan(100)
      expect(lines[0]?.pieces.map(drawn).join('')).not.toContain('520v720')
    })
  }

  test('whose letters join, also from right to left', async () => {
    for (const [letters, apart] of [
      ['ܠܫܢܐ', 'ܠ\u200Cܫ\u200Cܢ\u200Cܐ'],
      ['ߒߞߏ', 'ߒ\u200Cߞ\u200Cߏ'],
      ['𞤆𞤵𞤤', '𞤆\u200C𞤵\u200C𞤤'],
      ['ᠮᠣᠩ', 'ᠮ\u200Cᠣ\u200Cᠩ'],
    ] as const) {
      const [joined, isolated] = [await line(letters), await line(apart)]
      expect(joined.lines[0]?.pieces.map(drawn)).not.toEqual(isolated.lines[0]?.pieces.map(drawn))
    }
  })

  test('which costs nothing to who never needs it', async () => {
    const engine = createTextEngine()
    for (const text of ['Plain Latin words', 'Кириллица', 'Ελληνικά']) engine.line(text, bold, 40)
    const { fonts } = engine.cachedBytes()
    engine.line('བོད་ཡིག', bold, 40)
    expect(engine.cachedBytes().fonts).toBeGreaterThan(fonts)
    // Inter and nothing else.
    expect(fonts).toBeLessThan(2 * 2 ** 20)
  })
})

test('What no font has is one quiet box for what a reader takes for one character', async () => {
  for (const syllables of ['ᄒᆞᆫ', 'ᄆᆞᅀᆞᆷ', '\u{20001}', '\uE000']) {
    const { items } = itemize({ text: syllables, family: 'sans', lang: 'ko', direction: 'ltr' })
    expect(items.map(({ kind }) => kind)).toEqual(syllables === 'ᄆᆞᅀᆞᆷ' ? ['missing', 'missing'] : ['missing'])
  }
})

const families: readonly Family[] = ['sans', 'serif', 'serif-italic', 'mono']
const aligns = ['start', 'center', 'end'] as const
/** Rounding to the grid moves a point by half a unit, which is 0.04 px at 72 px. */
const gridPx = 0.05

async function expectInside(
  { id, text, lang }: Sample,
  changes: Partial<FitRequest>,
  at: number,
): Promise<void> {
  const style = {
    family: families[at % 4] ?? 'sans',
    weight: 400 + (at % 5) * 100,
    trackingUnits: (at % 3) * -15,
  }
  const box = { maxWidthPx: 900, maxHeightPx: 320, maxLines: 4, ...changes }
  const fitted = await fit(text, { style, ...box, ...(lang === undefined ? {} : { lang }) })
  expect(fitted.lines.length, id).toBeLessThanOrEqual(box.maxLines)
  expect(fitted.heightPx, id).toBeLessThanOrEqual(box.maxHeightPx)
  for (const { widthPx, ink } of fitted.lines) {
    expect(widthPx, id).toBeLessThanOrEqual(box.maxWidthPx)
    expect(ink.left, id).toBeGreaterThanOrEqual(0)
    expect(ink.right, id).toBeLessThanOrEqual(box.maxWidthPx)
  }
  const drawn = blockPath(fitted, aligns[at % 3] ?? 'start', box.maxWidthPx)
  const bounds = pathBounds(drawn.d) ?? { left: 0, top: 0, right: 0, bottom: 0 }
  expect(bounds.left * drawn.scale, id).toBeGreaterThanOrEqual(-gridPx)
  expect(bounds.top * drawn.scale, id).toBeGreaterThanOrEqual(-gridPx)
  expect(bounds.right * drawn.scale, id).toBeLessThanOrEqual(box.maxWidthPx + gridPx)
  expect(bounds.bottom * drawn.scale, id).toBeLessThanOrEqual(box.maxHeightPx + gridPx)
  for (const { x, y, sidePx } of drawn.emoji) {
    expect(Math.min(x, y), id).toBeGreaterThanOrEqual(-gridPx)
    expect(x + sidePx, id).toBeLessThanOrEqual(box.maxWidthPx + gridPx)
    expect(y + sidePx, id).toBeLessThanOrEqual(box.maxHeightPx + gridPx)
  }
}

describe('No ink leaves its box and nothing is NaN', () => {
  for (const maxWidthPx of [1040, 480, 90]) {
    test(`for the card texts in every family at ${maxWidthPx} px`, async () => {
      for (const sample of sampleOf(cardTexts(), 15)) {
        for (const at of families.keys()) await expectInside(sample, { maxWidthPx }, at)
      }
    })
  }

  test('for hostile texts', async () => {
    for (const [at, sample] of sampleOf(hostileTexts(), 18).entries()) await expectInside(sample, {}, at)
  })

  test('for a box of one low line', async () => {
    for (const [at, sample] of sampleOf(hostileTexts(), 18).entries())
      await expectInside(sample, { maxHeightPx: 30, maxLines: 1 }, at)
  })

  test('for a box in which not even one letter has room', async () => {
    await expectInside({ id: 'tiny', text: 'Wide' }, { maxWidthPx: 3 }, 0)
    await expectInside({ id: 'none', text: 'Wide' }, { maxWidthPx: 0 }, 0)
  })

  test('for a text that is empty after cleaning', async () => {
    await expectInside({ id: 'empty', text: '' }, {}, 0)
  })
})
