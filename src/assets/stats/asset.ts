import { badgeLogoRule, shieldsEndpointSchema } from '../badge/query.ts'
import type { Asset } from '../kit/asset.ts'
import { createMetrics, createStatsQuery, type StatsQuerySchema } from './metric.ts'
import playground from './playground.json' with { type: 'json' }
import { statsSchema } from './stats.ts'

/** The public counters. They count every other asset, so the row is made from the others' rows. */
export function createStatsAsset(others: readonly Asset[]): Asset<StatsQuerySchema> {
  const metrics = createMetrics(others)
  return {
    id: 'stats',
    title: 'Stats',
    path: '/api/stats',
    kind: 'stats',
    summary: 'How busy the service is',
    query: createStatsQuery(Object.keys(metrics)),
    rules: [badgeLogoRule],
    example: {},
    mediaTypes: ['application/json', 'image/svg+xml', 'text/plain'],
    answers: {
      Stats: statsSchema([...others.map(({ id }) => id), 'stats']),
      ShieldsEndpoint: shieldsEndpointSchema,
    },
    revision: 1,
    playground,
    errorPicture: {
      words: ['stats'],
      draw: async (_, text) => (await import('../badge/render-badge.ts')).errorBadge(text),
    },
    createProducer: async ({ stats, text }) =>
      (await import('./produce.ts')).createStatsProducer(stats, metrics, text),
  }
}
