import { beforeAll, describe, expect, test } from 'bun:test'
import { createCardRenderer } from '../../../src/assets/og/card-renderer.ts'
import { cutToFonts, fontMistakes, loadFontCount } from '../../../src/assets/og/count-fonts.ts'
import { alphabetFilesMax, mayNeedManyFonts } from '../../../src/assets/og/font-bound.ts'
import { type FontQuery, fontFilesMax } from '../../../src/assets/og/query.ts'
import { themeNames } from '../../../src/assets/og/themes.ts'
import { createTextEngine } from '../../../src/text/text-engine.ts'
import { rareText } from '../../support/rare-texts.ts'
import { sampleOf, slowTest } from '../../support/test-size.ts'
import cases from './count-fonts.json' with { type: 'json' }

beforeAll(loadFontCount)

function namesIn(query: FontQuery): readonly string[] {
  return mayNeedManyFonts(query) ? fontMistakes(query).map(({ parameter }) => parameter) : []
}

const usual = cases.usual

describe.each(themeNames)('in %s', (theme) => {
  test.each(Object.entries(usual))('a card of usual text is no card of too many fonts: %s', (_, text) => {
    const query = { title: text, subtitle: text, author: text, eyebrow: text, url: 'example.com', theme }
    expect(namesIn(query)).toEqual([])
    expect(cutToFonts(query)).toBe(query)
  })

  test('every Latin, Greek and Cyrillic letter and sign at once leaves room for other characters', () => {
    const points = [...range(0x20, 0x52f), ...range(0x1e00, 0x2027)]
    const text = String.fromCodePoint(...points)
    const others = rareText('sc', fontFilesMax - alphabetFilesMax)
    const query = { title: text + others, subtitle: text, author: text, eyebrow: text, url: text, theme }
    expect(mayNeedManyFonts(query)).toBe(false)
    expect(fontMistakes(query)).toEqual([])
  })
})

test('texts of too many fonts are named: each that has too many alone, else the one with the most', () => {
  const [sc, ja] = [rareText('sc', 300), rareText('ja', 300)]
  expect(namesIn({ title: sc })).toEqual(['title'])
  expect(namesIn({ title: 'A', subtitle: ja, lang: 'ja' })).toEqual(['subtitle'])
  expect(namesIn({ title: sc, subtitle: sc, author: sc })).toEqual(['title', 'subtitle', 'author'])
  const [more, fewer] = [ja.slice(0, 50), ja.slice(50, 90)]
  expect(namesIn({ title: more, lang: 'ja' })).toEqual([])
  expect(namesIn({ title: fewer, subtitle: more, lang: 'ja' })).toEqual(['subtitle'])
  // The domain of this theme is in another family than the title.
  expect(namesIn({ title: fewer, url: fewer, lang: 'ja', theme: 'aurora' })).toEqual([])
  expect(namesIn({ title: fewer, url: fewer, lang: 'ja', theme: 'paper' })).toEqual(['title'])
})

test.each(['sc', 'tc', 'ja', 'ko'] as const)(
  'a text of %s is cut where it needs one font too many',
  (group) => {
    const text = rareText(group, 150)
    const query = { title: `Tides of March ${text}`, subtitle: text, author: 'Ada', url: `${text}.example` }
    const cut = cutToFonts(query)
    expect(namesIn(query).length).toBeGreaterThan(0)
    expect(fontMistakes(cut)).toEqual([])
    expect(cut.title).toMatch(/…$/)
    expect(query.title).toStartWith(cut.title.slice(0, -1))
    expect(cut.title.length).toBeGreaterThan(50)
    expect([cut.author, cut.url]).toEqual(['Ada', undefined as never])
  },
)

test('a text is cut after a whole word', () => {
  const words = rareText('ko', 400).match(/.{10}/gu) ?? []
  const { title } = cutToFonts({ title: `${rareText('ja', 30)} ${words.join(' ')}` })
  expect(title).toMatch(/^.{30} (?:.{10} )*.{10}…$/u)
})

test.each(sampleOf(themeNames, 6))(
  'a card of %s with as many fonts as it may have loads no more of them',
  async (theme) => {
    const engine = createTextEngine()
    const texts = {
      title: rareText('tc', 150),
      subtitle: rareText('ko', 120),
      author: 'Ада Ἀδα',
      url: 'example.com',
    }
    const params = cutToFonts({ ...texts, theme, size: 'og', overflow: 'ellipsis' } as const)
    await createCardRenderer(engine).composed({ params })
    expect(engine.loads()).toBeGreaterThan(fontFilesMax - 10)
    expect(engine.loads()).toBeLessThanOrEqual(fontFilesMax)
  },
)

slowTest(
  'a card of long texts loads hardly more fonts than there are, however its title is spaced',
  async () => {
    const engine = createTextEngine()
    const title = rareText('ko', 300, fontFilesMax - 4)
    const params = { title, theme: 'paper', lang: 'ko', size: 'og', overflow: 'ellipsis' } as const
    expect(cutToFonts(params)).toBe(params)
    await createCardRenderer(engine).composed({ params })
    expect(engine.loads()).toBeGreaterThan(fontFilesMax - 5)
    expect(engine.loads()).toBeLessThan(2 * fontFilesMax)
  },
)

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
