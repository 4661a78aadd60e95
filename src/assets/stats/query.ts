import { type Static, Type } from '@sinclair/typebox'
import { cacheLife, choice, formatted, optional, text } from '../../lib/fields.ts'
import { badgeLook } from '../badge/query.ts'

/** The parameters of the counters. `metrics` are the names of those that can be shown as a badge. */
export function createStatsQuery(metrics: readonly string[]) {
  return Type.Object({
    format: choice(['json', 'svg', 'endpoint', 'prometheus'], {
      default: 'json',
      description:
        'The response format: everything as JSON or for Prometheus, one number as a badge or for shields.io',
    }),
    metric: choice(metrics, { default: 'requests_today', description: 'The number for svg and endpoint' }),
    ...optional({
      label: text(0, 100, {
        description: 'The left part of the badge',
        whenMissing: 'the name of the number',
        example: 'calls',
        aliases: ['subject'],
      }),
      color: formatted('color', {
        description: 'The colour of the badge',
        whenMissing: 'blue',
        aliases: ['colorB'],
      }),
    }),
    ...badgeLook,
    cacheSeconds: cacheLife(10),
  })
}

export type StatsQuerySchema = ReturnType<typeof createStatsQuery>
export type StatsQuery = Static<StatsQuerySchema>
