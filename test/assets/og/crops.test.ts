import { describe, expect, test } from 'bun:test'
import { cardSizes, sizeNames } from '../../../src/assets/og/card-sizes.ts'
import { themeNames } from '../../../src/assets/og/themes.ts'
import { cards, inkBoxes, isCropped, proportions } from './corpus.ts'
import cases from './crops.json' with { type: 'json' }

const words = cases.words
const brand = { key: 'harbour@1', footer: 'Harbour Ltd. · Since 1949' }

describe('a wide card may be cropped', () => {
  for (const theme of themeNames)
    test(`${theme}: no word is cut at 2:1, 1.91:1, 16:9 and by round corners`, async () => {
      const faults: string[] = []
      for (const size of sizeNames.filter((name) => cardSizes[name].shape === 'wide'))
        for (const texts of words)
          for (const given of [undefined, brand]) {
            const { widthPx, heightPx } = cardSizes[size]
            const { texts: placed } = await cards.composed({
              params: { theme, size, ...texts },
              brand: given,
            })
            for (const [name, proportion] of proportions)
              for (const text of placed)
                for (const box of inkBoxes(text))
                  if (isCropped(box, { widthPx, heightPx }, proportion))
                    faults.push(`${size} ${name}: ${text.role} of ${texts.title.slice(0, 12)}`)
          }
      expect(faults).toEqual([])
    })

  for (const theme of themeNames)
    test(`${theme}: author, domain and eyebrow are at least 30 px on a card of 1,200 px`, async () => {
      for (const texts of words.slice(1)) {
        const { texts: placed } = await cards.composed({ params: { theme, ...texts } })
        for (const { role, fitted } of placed)
          if (role === 'author' || role === 'domain' || role === 'eyebrow')
            expect(fitted.sizePx, `${role} of ${texts.title}`).toBeGreaterThanOrEqual(30)
      }
    })
})
