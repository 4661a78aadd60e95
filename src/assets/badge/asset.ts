import { mediaTypesOf } from '../drawn-formats.ts'
import type { Asset } from '../kit/asset.ts'
import { liveNames } from './live/source.ts'
import { badgeFormats, badgeQuery, badgeRules } from './query.ts'
import { shieldsEndpointSchema } from './shields-endpoint.ts'

const labels = { value: 'Value', color: 'Colour', logo: 'Icon' }

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
    tab: 3,
    rows: [['label', 'value'], ['style'], ['color'], ['status', 'logo'], ['scale', 'format']],
    labels,
    hidden: liveNames,
    example: { label: 'build', value: 'passing', status: 'success', logo: 'githubactions' },
    second: {
      id: 'live-badge',
      title: 'Live badge',
      names: liveNames,
      rows: [['json'], ['query'], ['label', 'prefix'], ['style'], ['color'], ['logo', 'format']],
      labels: {
        ...labels,
        json: 'JSON document',
        yaml: 'YAML document',
        toml: 'TOML document',
        xml: 'XML document',
      },
      hidden: ['value', 'status'],
      example: {
        json: 'https://cdn.jsdelivr.net/npm/typescript@5/package.json',
        query: '$.version',
        label: 'typescript',
        prefix: 'v',
        color: 'blue',
        logo: 'typescript',
      },
    },
  },
  errorPicture: {
    words: ['badge', 'badges', 'static', 'endpoint'],
    draw: async (_, text) => (await import('./error-badge.ts')).errorBadge(text),
  },
  createProducer: async (parts) => (await import('./produce.ts')).createBadgeProducer(parts),
}
