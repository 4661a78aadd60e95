import { pixelFormatNames } from '../../raster/picture-formats.ts'
import { type Asset, mediaTypesOf, pathsOfFormats } from '../kit/asset.ts'
import { og, ogRules } from '../og/asset.ts'
import { cardFormats } from '../og/query.ts'
import playground from './playground.json' with { type: 'json' }
import { cardQuery, countedWithSite } from './query.ts'

export const card: Asset<typeof cardQuery> = {
  id: 'card',
  title: 'Card of a page',
  path: '/api/card',
  variants: pathsOfFormats('/api/card', [...pixelFormatNames, 'json']),
  readsPages: true,
  priceMicros: 20_000,
  summary: 'A card of a page, drawn from what the page says about itself',
  query: cardQuery,
  countedPairs: countedWithSite,
  rules: ogRules,
  example: { page: 'https://example.com/', theme: 'aurora' },
  mediaTypes: mediaTypesOf(cardFormats),
  answers: og.answers ?? {},
  // Raised with that of the cards that it is drawn as.
  revision: 1_000 + og.revision,
  metric: { name: 'cards_today', label: 'page cards today' },
  playground,
  errorPicture: {
    words: [],
    draw: async (size, text) => (await import('../kit/error-picture.ts')).errorCard(size, text),
  },
  createProducer: async (parts) => (await import('./produce.ts')).createCardProducer(parts),
}
