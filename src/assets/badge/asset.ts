import { type Asset, mediaTypesOf } from '../kit/asset.ts'
import { liveNames } from './live/source.ts'
import playground from './playground.json' with { type: 'json' }
import { badgeFormats, badgeQuery, badgeRules, shieldsEndpointSchema } from './query.ts'

export const badge: Asset<typeof badgeQuery> = {
  id: 'badge',
  title: 'Badge',
  path: '/api/badge',
  kind: 'badge',
  compatibilityUrl: { service: 'shields.io', url: '/badge/build-passing-brightgreen?style=flat-square' },
  priceMicros: 10_000,
  summary: 'A badge of two words, readable in every colour',
  query: badgeQuery,
  rules: badgeRules,
  example: { label: 'build', value: 'passing', status: 'success' },
  mediaTypes: mediaTypesOf(badgeFormats),
  answers: { ShieldsEndpoint: shieldsEndpointSchema },
  revision: 8,
  metric: { name: 'badges_today', label: 'badges today' },
  playground: {
    ...playground,
    hidden: liveNames,
    second: { ...playground.second, names: liveNames },
  },
  errorPicture: {
    words: ['badge', 'badges', 'static', 'endpoint'],
    draw: async (_, text) => (await import('./render-badge.ts')).errorBadge(text),
  },
  createProducer: async (parts) => (await import('./produce.ts')).createBadgeProducer(parts),
}
