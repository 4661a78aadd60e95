import { expect, test } from 'bun:test'
import type { CardBrand } from '../../../../src/assets/og/brand/card-brand.ts'
import { createCardRenderer } from '../../../../src/assets/og/card-renderer.ts'
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
