import type { CardBrand } from '../assets/og/brand/card-brand.ts'
import type { CardParams } from '../assets/og/card-renderer.ts'
import { cardSizes } from '../assets/og/card-sizes.ts'
import ownLogo from './data/own-logo.json' with { type: 'json' }
import pages from './data/pages.json' with { type: 'json' }
import { guideGroups } from './guides/guides.ts'

export const shareSize = cardSizes.og

type Texts = Pick<CardParams, 'title' | 'subtitle' | 'eyebrow'>

export const shareTexts: ReadonlyMap<string, Texts> = new Map<string, Texts>([
  ...Object.entries(pages).map(([name, { card }]) => [name, card] as const),
  ...guideGroups.flatMap(({ title: eyebrow, guides }) =>
    guides.map(({ slug, label, summary }): [string, Texts] => [
      slug,
      { title: label, subtitle: summary.replace(/\.$/, ''), eyebrow },
    ]),
  ),
])

/** The product's own look: the colour of its pages, and its mark in white. */
export const ownBrand: CardBrand = {
  key: 'mintmark itself',
  theme: 'poster',
  accent: '2f4bc9',
  footer: 'Mintmark',
  logo: { kind: 'shapes', key: 'mintmark itself', ...ownLogo },
}

/** The path of a page's Open Graph card. Throws when there is none of that name. */
export function sharePath(name: string): string {
  if (!shareTexts.has(name)) throw new Error(`There is no card ${name}.`)
  return `/pictures/share-${name}.png`
}
