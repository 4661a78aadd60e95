import { type Static, Type } from '@sinclair/typebox'
import { cacheLife, choice, formatted, text } from '../../lib/fields.ts'
import { badgeLook } from '../badge/query.ts'

export const statsMetrics = [
  'requests_today',
  'requests_total',
  'og_today',
  'badges_today',
  'avatars_today',
  'previews_today',
  'demo_remaining',
  'uptime',
  'cache_hit_ratio',
  'p99',
] as const

export type StatsMetric = (typeof statsMetrics)[number]

/** The parameters of the counters. */
export const statsQuery = Type.Object({
  format: choice(['json', 'svg', 'endpoint', 'prometheus'], {
    default: 'json',
    description:
      'What to answer: everything as JSON or for Prometheus, one number as a badge or for shields.io',
  }),
  metric: choice(statsMetrics, { default: 'requests_today', description: 'The number for svg and endpoint' }),
  label: Type.Optional(
    text(0, 100, {
      description: 'The left part of the badge; the name of the number when missing',
      aliases: ['subject'],
    }),
  ),
  color: Type.Optional(
    formatted('color', { description: 'The colour of the badge; blue when missing', aliases: ['colorB'] }),
  ),
  ...badgeLook,
  cacheSeconds: cacheLife(10),
})

export type StatsQuery = Static<typeof statsQuery>
