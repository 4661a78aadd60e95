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

/** The path of a page's Open Graph card. Throws when there is none of that name. */
export function sharePath(name: string): string {
  if (!shareTexts.has(name)) throw new Error(`There is no card ${name}.`)
  return `/pictures/share-${name}.png`
}
