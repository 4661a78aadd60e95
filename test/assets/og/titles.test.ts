import { describe, expect, test } from 'bun:test'
import type { CardParams } from '../../../src/assets/og/card-renderer.ts'
import { themeNames } from '../../../src/assets/og/themes.ts'
import { guessLanguage } from '../../../src/text/hyphenation.ts'
import { cards, inkBoxes } from './corpus.ts'
import cases from './titles.json' with { type: 'json' }

interface Layout {
  readonly texts: Readonly<
    Record<string, { text: string; lines: string[]; size_px: number; is_cut: boolean }>
  >
}

async function layoutOf(params: CardParams): Promise<Layout['texts']> {
  const layout: Layout = JSON.parse(await cards.layoutJson({ params }))
  return layout.texts
}

describe('terminal shows what other themes show', () => {
  const title = 'Manter o Equilíbrio para Jardineiros de Jardins Abertos'
  const subtitle = 'Dicas para cuidar de si e evitar o cansaço enquanto jardineiros.'
  const long =
    'Simplified Soil Quality Monitoring of Dynamic Greenhouse Gardens: A Functional Programming Handbook'
  test('a subtitle below a title of three lines', async () => {
    const texts = await layoutOf({ theme: 'terminal', title, subtitle, url: 'example.org' })
    expect(texts['subtitle']?.lines.join(' ')).toBe(subtitle)
  })
  test('a title of a hundred letters', async () => {
    const { title: shown } = await layoutOf({ theme: 'terminal', title: long, overflow: 'ellipsis' })
    expect(shown?.is_cut).toBeFalse()
    expect(shown?.size_px).toBeGreaterThanOrEqual(52)
  })
  test('with room for the cursor behind the last line', async () => {
    for (const wanted of ['a'.repeat(27), 'The database that never sleeps', title]) {
      const { texts } = await cards.composed({ params: { theme: 'terminal', title: wanted } })
      const placed = texts.find(({ role }) => role === 'title')
      const last = placed?.fitted.lines.at(-1)
      if (placed === undefined || last === undefined) throw new Error(wanted)
      expect(last.widthPx + 0.6 * placed.fitted.sizePx, wanted).toBeLessThanOrEqual(placed.widthPx)
    }
  })
})

test('a short title is larger than the largest size of others, on one line of a wide card', async () => {
  for (const theme of themeNames) {
    const [short, usual] = await Promise.all(
      ['Go', 'Seventeen letter'].map(async (title) => (await layoutOf({ theme, title }))['title']),
    )
    expect(short?.size_px, theme).toBeGreaterThan(1.2 * (usual?.size_px ?? 0))
    expect(short?.lines, theme).toEqual(['Go'])
  }
  const { title } = await layoutOf({ theme: 'aurora', size: 'square', title: 'Go' })
  expect(title?.size_px).toBe(240)
})

describe('a word longer than a line', () => {
  const words = cases.words as [text: string, lang?: string][]
  for (const [text, lang] of words)
    test(`${text} is of ${lang}`, () => expect(guessLanguage(text)).toBe(lang))
  test('of no language that we have patterns of is whole in smaller type, without a hyphen', async () => {
    for (const title of cases.long) {
      expect(['de', 'nl', 'da', 'sv', 'fi', 'hu']).not.toContain(guessLanguage(title) ?? '')
      const { title: shown } = await layoutOf({ theme: 'poster', title })
      expect(shown?.lines.join(' ')).toBe(title)
    }
  })
})

describe('code in titles and subtitles', () => {
  test('stands between no backticks in lines, names and descriptions', async () => {
    const words = { title: 'Understanding `async` code', subtitle: 'And `await`, too' }
    const params = { ...words, theme: 'paper' } as const
    const { title, subtitle } = await layoutOf(params)
    expect([title?.text, title?.lines.join(' ')]).toEqual(Array(2).fill('Understanding async code'))
    expect(subtitle?.lines.join(' ')).toBe('And await, too')
    expect((await cards.svgPieces({ params })).join('')).toContain('>Understanding async code</title>')
  })
  test('is set in another face on a tint that its letters stay within, in every direction', async () => {
    for (const title of ['Understanding `async` code', 'שימוש ב־`useEffect` נכון בריאקט']) {
      const { scene, texts } = await cards.composed({ params: { title } })
      const tints = scene.layers.filter((layer) => layer.kind === 'path' && layer.opacity === 0.1)
      expect(tints.length).toBe(1)
      const [box] = texts.flatMap(inkBoxes)
      const [tint] = tints
      if (box === undefined || tint === undefined) throw new Error(title)
      expect(tint.x).toBeGreaterThan(box.left - 40)
      expect(tint.x).toBeLessThan(box.right)
    }
  })
  test('needs backticks in pairs around something', async () => {
    for (const title of cases.unpaired) {
      const { title: shown } = await layoutOf({ title })
      expect(shown?.lines.join(' ')).toBe(title)
    }
  })
  test('is one piece where a smaller size keeps it so', async () => {
    const { title } = await layoutOf({ theme: 'aurora', title: '`grid-rule-color`' })
    expect(title?.lines).toEqual(['grid-rule-color'])
  })
  test('of other texts keeps its marks', async () => {
    const { author } = await layoutOf({ title: 'Go', author: 'The `go` team' })
    expect(author?.text).toBe('The `go` team')
  })
})
