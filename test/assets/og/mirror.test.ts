import { describe, expect, test } from 'bun:test'
import { Resvg } from '@resvg/resvg-js'
import { hashOf } from '../../../src/assets/og/accent.ts'
import { cardSizes } from '../../../src/assets/og/theme.ts'
import { loadTheme, type ThemeName, themeNames } from '../../../src/assets/og/themes.ts'
import type { Scene } from '../../../src/raster/scene.ts'
import { cards } from './corpus.ts'

import cases from './mirror.json' with { type: 'json' }

const ltr = cases.ltr
const translations = {
  Arabic: { ...ltr, title: 'كيف خفضنا زمن البدء', subtitle: 'تقرير ميداني', author: 'أحمد' },
  Hebrew: { ...ltr, title: 'כיצד קיצצנו את הזמן', subtitle: 'דוח שטח', author: 'עדה' },
}

function backgroundPixels({ background }: Scene) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630"><defs>${background.defs}</defs>${background.body}</svg>`
  const { pixels, width, height } = new Resvg(svg, { fitTo: { mode: 'width', value: 300 } }).render()
  return { pixels, width, height }
}

/** A left-to-right title that has the same pattern as another one. */
async function titleOfPattern(theme: ThemeName, other: string): Promise<string> {
  const { patterns } = await loadTheme(theme)
  for (let number = 0; ; number++) {
    const title = `${ltr.title} ${number}`
    if (hashOf(title) % patterns === hashOf(other) % patterns) return title
  }
}

describe('a card in a right-to-left script', () => {
  for (const theme of themeNames) {
    for (const [script, rtl] of Object.entries(translations)) {
      for (const align of ['start', 'center'] as const)
        test(`mirrors every box of ${theme}, ${align} (${script})`, async () => {
          const ours = (await cards.composed({ params: { theme, align, ...ltr } })).texts
          const theirs = (await cards.composed({ params: { theme, align, ...rtl } })).texts
          for (const text of ours) {
            const other = theirs.findLast(({ role }) => role === text.role)
            const isCentred = text.align === 'center'
            expect(other?.align).toBe(isCentred ? 'center' : text.align === 'left' ? 'right' : 'left')
            const start = other === undefined ? 0 : cardSizes.og.widthPx - other.left - other.widthPx
            if (text.role === 'title' || text.role === 'subtitle') expect(start).toBeCloseTo(text.left, 3)
          }
        })
    }

    test(`turns the picture of ${theme} around`, async () => {
      const title = await titleOfPattern(theme, translations.Arabic.title)
      const ours = backgroundPixels((await cards.composed({ params: { theme, ...ltr, title } })).scene)
      const { scene } = await cards.composed({ params: { theme, ...translations.Arabic } })
      const theirs = backgroundPixels(scene)
      let difference = 0
      for (let y = 0; y < ours.height; y++) {
        for (let x = 0; x < ours.width; x++) {
          const at = (y * ours.width + x) * 4
          const mirrored = (y * ours.width + ours.width - 1 - x) * 4
          for (let c = 0; c < 3; c++)
            difference += Math.abs((ours.pixels[at + c] ?? 0) - (theirs.pixels[mirrored + c] ?? 0))
        }
      }
      expect(difference / (ours.width * ours.height * 3)).toBeLessThan(0.6)
    })
  }

  test('keeps a left-to-right subtitle in its own order at the right margin', async () => {
    const params = { theme: 'aurora', ...translations.Hebrew, subtitle: 'Using Bun 1.4 (v2)' } as const
    const subtitle = (await cards.composed({ params })).texts.find(({ role }) => role === 'subtitle')
    expect(subtitle?.fitted.direction).toBe('ltr')
    expect(subtitle?.align).toBe('right')
  })
})
