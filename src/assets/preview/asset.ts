import type { Asset } from '../kit/asset.ts'
import { microlinkSchema, oembedSchema, previewSchema } from './preview.ts'
import { previewQuery } from './query.ts'

export const preview: Asset<typeof previewQuery> = {
  id: 'preview',
  title: 'Link preview',
  path: '/api/preview',
  kind: 'preview',
  isLive: true,
  priceMicros: 1_000_000,
  summary: 'What a page says about itself: title, image, author, dates and more',
  query: previewQuery,
  example: { url: 'https://example.com/' },
  mediaTypes: ['application/json'],
  answers: { Preview: previewSchema, Oembed: oembedSchema, Microlink: microlinkSchema },
  revision: 1,
  metric: { name: 'previews_today', label: 'previews today' },
  playground: {
    tab: 5,
    rows: [['url'], ['lang', 'format']],
    labels: { url: 'Page', lang: 'Language' },
    hidden: ['fresh'],
    example: { url: 'https://ogp.me/' },
  },
  errorPicture: {
    words: ['preview', 'previews'],
    draw: async (size, text) => (await import('../kit/error-picture.ts')).errorCard(size, text),
  },
  createProducer: async ({ livePages }) => (await import('./produce.ts')).createPreviewProducer(livePages),
}
