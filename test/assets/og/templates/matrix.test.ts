import { expect, test } from 'bun:test'
import type { CardParams, ComposedCard } from '../../../../src/assets/og/card-renderer.ts'
import { sizeNames } from '../../../../src/assets/og/card-sizes.ts'
import { schemes } from '../../../../src/assets/og/theme.ts'
import { themeNames } from '../../../../src/assets/og/themes.ts'
import { sampleOf } from '../../../support/test-size.ts'
import { contrastFaults, placeFaults } from '../card-faults.ts'
import { cards } from '../corpus.ts'
import { backgroundOf } from '../random-text.ts'
import matrix from './matrix.json' with { type: 'json' }

const scripts = Object.keys(matrix.short) as readonly (keyof typeof matrix.short)[]

/** Both are tried with each scheme. */
function alignOf(scheme: string, title: string): 'start' | 'center' {
  return (scheme === 'light') === (title.length % 2 === 0) ? 'start' : 'center'
}

/** Each template in all lengths and scripts, in every theme, scheme and size. */
function cardsOf({ bare, short, long }: Record<'bare' | 'short' | 'long', object>): readonly CardParams[] {
  const wordings = scripts.flatMap((script): readonly { readonly title: string }[] => {
    const { title, ...others } = matrix.short[script]
    const lang = 'lang' in others ? { lang: others.lang } : {}
    return [
      { ...bare, title, ...lang },
      { ...short, title, ...others },
      { ...long, ...matrix.long[script] },
    ]
  })
  return wordings.flatMap((words) =>
    themeNames.flatMap((theme) =>
      sizeNames.flatMap((size) =>
        schemes.map((scheme) => ({ ...words, theme, size, scheme, align: alignOf(scheme, words.title) })),
      ),
    ),
  )
}

/** Colours of one code are set in layers that share their lines. */
function withOneCode(composed: ComposedCard): ComposedCard {
  const hasCode = composed.texts.some(({ role }) => role === 'code')
  const texts = composed.texts.map((text) =>
    hasCode && text.role === 'sign' ? { ...text, role: 'code' } : text,
  )
  return { ...composed, texts }
}

for (const [template, parts] of Object.entries(matrix.templates))
  test(`in ${template} nothing overlaps, nothing leaves its margins, the title is there, and every text can be read`, async () => {
    const faults: string[] = []
    // Seven shares no factor with the numbers of themes, sizes and schemes.
    for (const [at, params] of sampleOf(cardsOf(parts), 7).entries()) {
      const isCentred = at % 5 === 0
      const card = { ...params, template, ...(isCentred && { align: 'center' }) } as CardParams
      const composed = withOneCode(await cards.composed({ params: card }))
      const under = backgroundOf(composed.scene)
      const title = composed.texts.find(({ role }) => role === 'title')
      const missing = title?.fitted.lines.length ? [] : ['has no title']
      const found = [...placeFaults(composed), ...contrastFaults(composed, under), ...missing]
      faults.push(...found.map((fault) => `${JSON.stringify(card)}: ${fault}`))
    }
    expect(faults.slice(0, 10)).toEqual([])
    expect(faults).toHaveLength(0)
  })
