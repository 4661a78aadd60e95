import { expect, test } from 'bun:test'
import type { CardBrand } from '../../../../src/assets/og/brand/card-brand.ts'
import { type CardParams, createCardRenderer } from '../../../../src/assets/og/card-renderer.ts'
import { themeNames } from '../../../../src/assets/og/themes.ts'
import { readFont } from '../../../../src/text/brand-fonts/read-font.ts'
import { createTextEngine } from '../../../../src/text/text-engine.ts'
import { fontFile } from '../../../text/brand-fonts/fonts.ts'
import { drawn } from '../../../text/support.ts'

const cards = createCardRenderer(createTextEngine())
const mono = await readFont(await fontFile('mono'))
const serif = await readFont(await fontFile('newsreader'))
const words = { title: 'Hello there', subtitle: 'A subtitle', author: 'Ada', url: 'https://example.com' }

/** The outlines that are drawn for each text of a card. */
async function outlines(theme: (typeof themeNames)[number], brand?: CardBrand) {
  const params = { ...words, theme }
  const { texts } = await cards.composed({ params, brand })
  return new Map(
    texts.map(({ role, fitted }) => [
      role,
      fitted.lines.flatMap(({ pieces }) => pieces.map(drawn)).join('\n'),
    ]),
  )
}

test('the title has the font for titles, every other text the font for texts, and neither changes the other', async () => {
  const both: CardBrand = { key: 'both@1', titleFont: serif, textFont: mono }
  const titled: CardBrand = { key: 'titled@1', titleFont: serif }
  const texted: CardBrand = { key: 'texted@1', textFont: mono }
  for (const theme of themeNames) {
    const ours = await outlines(theme)
    const [withBoth, withTitle, withText] = [
      await outlines(theme, both),
      await outlines(theme, titled),
      await outlines(theme, texted),
    ]
    expect(ours.size).toBeGreaterThan(3)
    for (const [role, path] of ours) {
      const isTitle = role === 'title'
      const same = [withBoth, withTitle, withText].map((card) => card.get(role) === path)
      // The labels of a terminal and of a blueprint are set in JetBrains Mono anyway.
      const isAnyway = !isTitle && (theme === 'terminal' || (theme === 'grid' && role === 'domain'))
      expect([theme, role, same]).toEqual([theme, role, [isAnyway, !isTitle, isTitle || isAnyway]])
    }
    expect(await outlines(theme)).toEqual(ours)
  }
})

const brand: CardBrand = { key: 'acme@1', theme: 'grid', scheme: 'dark', accent: 'ff5500' }

test('a card takes theme, scheme and accent of its brand where its parameters leave them out', async () => {
  const title = 'Hello'
  expect(await svg({ title }, brand)).toBe(
    await svg({ title, theme: 'grid', scheme: 'dark', accent: 'ff5500' }),
  )
})

test('parameters win over the brand, one by one', async () => {
  const title = 'Hello'
  const own = { theme: 'paper', scheme: 'light', accent: '0055ff' } as const
  expect(await svg({ title, ...own }, brand)).toBe(await svg({ title, ...own }))
  expect(await svg({ title, theme: 'aurora' }, brand)).toBe(
    await svg({ title, theme: 'aurora', scheme: 'dark', accent: 'ff5500' }),
  )
})

async function svg(params: CardParams, of?: CardBrand): Promise<string> {
  return (await cards.svgPieces({ params, brand: of })).join('')
}
