import type { CardBrand } from '../assets/og/brand/card-brand.ts'
import type { CardParams } from '../assets/og/card-renderer.ts'
import { cardSizes } from '../assets/og/card-sizes.ts'
import { guideGroups } from './guides/guides.ts'

/** The size of the cards, for the tags of the pages. */
export const shareSize = cardSizes.og

type Texts = Pick<CardParams, 'title' | 'subtitle' | 'eyebrow'>

/** The texts of the Open Graph card of each page, by the card's name. */
export const shareTexts: ReadonlyMap<string, Texts> = new Map<string, Texts>([
  [
    'home',
    {
      title: 'Every page gets a card',
      subtitle: 'You write a URL. Badges, avatars and site files too',
    },
  ],
  ['examples', { title: 'Every size and theme, light and dark', subtitle: 'Each composed for its shape' }],
  ['docs', { title: 'The reference', subtitle: 'Every parameter, limit and error' }],
  ['errors', { title: 'Errors', subtitle: 'What each code means, and what helps', eyebrow: 'Reference' }],
  ['guides', { title: 'Guides', subtitle: 'Cards for your site, and running your own server' }],
  ['status', { title: 'Status', subtitle: 'What the service does at this moment' }],
  ['bot', { title: 'Our fetcher', subtitle: 'What it asks of your site, and how to keep it out' }],
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
  logo: {
    kind: 'shapes',
    key: 'mintmark itself',
    width: 42,
    height: 32,
    shapes: [
      {
        d: 'M8 0H34C38.42 0 42 3.58 42 8V24C42 28.42 38.42 32 34 32H8C3.58 32 0 28.42 0 24V8C0 3.58 3.58 0 8 0Z',
        fill: '#ffffff',
      },
      { d: 'M9 9.3H25V12.7H9Z', fill: '#2f4bc9' },
      { d: 'M9 16.3H33V19.7H9Z', fill: '#2f4bc9' },
      { d: 'M9 22.3H19V25.7H9Z', fill: '#2f4bc9' },
    ],
  },
}

/** The path of a page's Open Graph card. Throws when there is none of that name. */
export function sharePath(name: string): string {
  if (!shareTexts.has(name)) throw new Error(`There is no card ${name}.`)
  return `/pictures/share-${name}.png`
}
