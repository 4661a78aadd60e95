import { describe, expect, test } from 'bun:test'
import { cardSizes, sizeNames } from '../../../src/assets/og/theme.ts'
import { themeNames } from '../../../src/assets/og/themes.ts'
import type { Box } from '../../../src/svg/bounds.ts'
import { cards, inkBoxes, isCropped, proportions } from './corpus.ts'
import cases from './crops.json' with { type: 'json' }
import { overlap } from './random-text.ts'

const words = cases.words
const brand = { key: 'harbour@1', footer: 'Harbour Ltd. · Since 1949' }
const logo = {
  kind: 'shapes',
  key: 'square',
  width: 64,
  height: 64,
  shapes: [{ d: 'M2 2H62V62H2z', fill: '#ff5a36' }],
  singleColor: '#ff5a36',
} as const
const centredWords = [
  ...words,
  { title: 'W'.repeat(80), author: 'W'.repeat(80), url: 'w'.repeat(120) },
  { title: '龘'.repeat(80), subtitle: '龘'.repeat(120), lang: 'zh' },
  { title: 'मौसम और ज्वार के बारे में हमने एक साल में क्या सीखा', subtitle: 'मैदान से', author: 'मीरा' },
  { title: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft' },
]

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
    test(`${theme}, centred: a square crop of the middle has all texts and the logo, which do not overlap`, async () => {
      const faults: string[] = []
      for (const size of sizeNames.filter((name) => cardSizes[name].shape === 'wide'))
        for (const texts of centredWords)
          for (const given of [undefined, { ...brand, logo }]) {
            const { widthPx, heightPx } = cardSizes[size]
            const card = { params: { theme, size, align: 'center', ...texts } as const, brand: given }
            const { texts: placed, logo: drawn } = await cards.composed(card)
            const [start, end] = [(widthPx - heightPx) / 2, (widthPx + heightPx) / 2]
            const boxes: { readonly name: string; readonly box: Box }[] = placed.flatMap((text) =>
              inkBoxes(text).map((box) => ({ name: text.role, box })),
            )
            if (drawn !== undefined) {
              const { x, y, width, height } = drawn.area
              boxes.push({ name: 'logo', box: { left: x, top: y, right: x + width, bottom: y + height } })
            }
            for (const [at, { name, box }] of boxes.entries()) {
              if (box.left < start || box.right > end || box.top < 0 || box.bottom > heightPx)
                faults.push(`${size}: ${name} of ${texts.title.slice(0, 12)} is outside`)
              for (const other of boxes.slice(at + 1))
                if (other.name !== name && overlap(box, other.box))
                  faults.push(`${size}: ${name} and ${other.name} of ${texts.title.slice(0, 12)}`)
            }
            const { warnings } = JSON.parse(await cards.layoutJson(card))
            if (warnings.some(({ code }: { code: string }) => code === 'outside_square'))
              faults.push(`${size}: warning of ${texts.title.slice(0, 12)}`)
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
