import { afterAll, expect, test } from 'bun:test'
import { iconLogo } from '../../../../src/assets/og/brand/brand-images.ts'
import type { Card, CardParams, ComposedCard } from '../../../../src/assets/og/card-renderer.ts'
import { schemes, sizeNames } from '../../../../src/assets/og/theme.ts'
import { themeNames } from '../../../../src/assets/og/themes.ts'
import { drawSvg } from '../../../../src/raster/draw-svg.ts'
import { encodePng } from '../../../../src/raster/encode-png.ts'
import { randomFrom } from '../../../support/random.ts'
import { isQuick } from '../../../support/test-size.ts'
import { groundPictures } from '../background/pictures.ts'
import { contrastFaults, placeFaults } from '../card-faults.ts'
import { cards } from '../corpus.ts'
import { backgroundOf } from '../random-text.ts'

import matrix from './matrix.json' with { type: 'json' }

const scripts = Object.keys(matrix.short) as readonly (keyof typeof matrix.short)[]

/** Each template in all lengths and scripts, in every theme, scheme and size; every third of them is centred. */
function cardsOf({ bare, short, long }: Record<'bare' | 'short' | 'long', object>): readonly CardParams[] {
  const wordings = scripts.flatMap(
    (script): readonly { readonly title: string; readonly isPartial?: true }[] => {
      const { title, ...others } = matrix.short[script]
      const lang = 'lang' in others ? { lang: others.lang } : {}
      return [
        { ...bare, title, ...lang },
        { ...short, title, ...others },
        { ...long, ...matrix.long[script] },
        { ...long, ...matrix.long[script], isPartial: true },
      ]
    },
  )
  const looks = themeNames.flatMap((theme) =>
    sizeNames.flatMap((size) => schemes.map((scheme) => ({ theme, size, scheme }))),
  )
  return wordings.flatMap((words, row) =>
    looks.map((look, at) => {
      const params = { ...words, ...look, ...((row + at) % 3 === 0 && centred) }
      return 'isPartial' in params ? partial(params, bare) : params
    }),
  )
}

/** The parts that a card must have, and by chance some of the others. */
function partial({ isPartial: _, ...params }: CardParams & { isPartial?: true }, bare: object): CardParams {
  const needed = new Set(['title', 'lang', 'theme', 'size', 'scheme', 'align', ...Object.keys(bare)])
  const kept = Object.entries(params).filter(([name]) => needed.has(name) || random.below(2) === 0)
  return Object.fromEntries(kept) as CardParams
}

const centred = { align: 'center' } as const

/** Colours of one code are set in layers that share their lines. */
function withOneCode(composed: ComposedCard): ComposedCard {
  const hasCode = composed.texts.some(({ role }) => role === 'code')
  const texts = composed.texts.map((text) =>
    hasCode && text.role === 'sign' ? { ...text, role: 'code' } : text,
  )
  return { ...composed, texts }
}

/** One of six cards by `TEST_SEED`, and all of them with `TEST_EVERY=1`: that takes a minute. */
const isEvery = process.env['TEST_EVERY'] === '1'
const random = randomFrom(Number(process.env['TEST_SEED'] ?? 20_261_128))

const pictures = await groundPictures()
const face = {
  key: 'face',
  sidePx: 1,
  png: encodePng(drawSvg('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')),
}

/** Every part that a card may have besides its texts is there on some. */
function partsOf(template: string, at: number): Pick<Card, 'brand' | 'face' | 'picture'> {
  const logo = iconLogo('github')
  return {
    ...(at % 2 === 0 && { face }),
    ...(at % 5 < 2 &&
      logo && { brand: { key: 'matrix@1', logo, ...(at % 5 === 0 && { footer: 'Since 1949' }) } }),
    ...(template === 'photo' && at % 7 > 0 && { picture: random.pick(pictures) }),
  }
}

let drawn = 0
for (const [template, parts] of Object.entries(matrix.templates))
  test(`in ${template} nothing overlaps, nothing leaves its box or its margins, the title is there, and every text can be read`, async () => {
    const faults: string[] = []
    for (const [at, params] of cardsOf(parts).entries()) {
      if (!isEvery && random.below(isQuick ? 24 : 6) > 0) continue
      const card: Card = { params: { ...params, template } as CardParams, ...partsOf(template, at) }
      const composed = withOneCode(await cards.composed(card))
      const under = backgroundOf(composed.scene)
      const title = composed.texts.find(({ role }) => role === 'title')
      const missing = title?.fitted.lines.length ? [] : ['has no title']
      const found = [...placeFaults(composed), ...contrastFaults(composed, under), ...missing]
      const look = `${at} ${JSON.stringify(card.params)} ${Object.keys(card)} ${card.picture?.key.slice(0, 6)}`
      faults.push(...found.map((fault) => `${look}: ${fault}`))
      drawn++
    }
    expect(faults.slice(0, 10)).toEqual([])
    expect(faults).toHaveLength(0)
  })

/** The largest text of an event is the day of its leaf. Initials are a picture. */
test('the largest text of a short card is that of its template, also about the middle', async () => {
  const wrong: string[] = []
  for (const [template, role] of Object.entries(matrix.largest))
    for (const theme of themeNames)
      for (const size of sizeNames)
        for (const align of ['start', 'center'] as const) {
          const { short } = matrix.templates[template as keyof typeof matrix.largest]
          const params = { ...short, ...matrix.short.latin, template, theme, size, align } as CardParams
          const { texts } = await cards.composed({ params })
          const [first] = texts
            .filter((text) => text.role !== 'initials')
            .toSorted((one, other) => other.fitted.sizePx - one.fitted.sizePx)
          if (first?.role !== role) wrong.push(`${template} ${theme} ${size} ${align}: ${first?.role}`)
        }
  expect(wrong).toEqual([])
})

test('no word of a label is torn below a number', async () => {
  const stats = '18.4k stars|230 contributors|MIT license'
  const words = { title: 'Harbour', role: 'Ships', stats }
  for (const template of ['stats', 'profile'])
    for (const theme of themeNames)
      for (const size of sizeNames)
        for (const align of ['start', 'center'] as const) {
          const params = { ...words, template, theme, size, align } as CardParams
          const { texts } = await cards.composed({ params })
          const labels = texts.filter(({ role }) => role === 'labels')
          const lines = labels.map(({ fitted }) => fitted.lines.map(({ text }) => text))
          expect(lines, `${theme} ${size}`).toEqual([['stars'], ['contributors'], ['license']])
        }
})

afterAll(() => {
  const all = Object.values(matrix.templates).reduce((sum, parts) => sum + cardsOf(parts).length, 0)
  if (drawn > 0) expect(drawn).toBeGreaterThan(isEvery ? all - 1 : all / 40)
})
