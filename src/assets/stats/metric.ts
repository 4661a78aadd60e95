import { type Static, Type } from '@sinclair/typebox'
import { cacheLife, choice, formatted, optional, text } from '../../lib/fields.ts'
import { formatCompact } from '../../lib/human-format.ts'
import type { Badge } from '../badge/badge.ts'
import { palette } from '../badge/color-names.ts'
import { badgeLook, lookOf } from '../badge/query.ts'
import { type Asset, inTabOrder } from '../kit/asset.ts'
import texts from './parameter-texts.json' with { type: 'json' }
import type { Stats } from './stats.ts'

type Metric = { readonly label: string; readonly read: (stats: Stats) => string }
export type Metrics = Readonly<Record<string, Metric>>

export function createMetrics(assets: readonly Asset[]): Metrics {
  return {
    requests_today: { label: 'requests today', read: ({ day }) => compact(day.requests) },
    requests_total: { label: 'requests', read: ({ total }) => compact(total.requests) },
    ...Object.fromEntries(inTabOrder(assets).flatMap(assetMetric)),
    demo_remaining: { label: 'demo calls left', read: ({ demo }) => compact(demo.remaining) },
    uptime: { label: 'uptime', read: ({ uptime_seconds }) => duration(uptime_seconds) },
    cache_hit_ratio: { label: 'cache hits', read: ({ cache }) => hitRatio(cache) },
    p99: { label: 'p99', read: ({ latency_ms: { p99 } }) => (p99 === null ? noData : `${p99} ms`) },
  }
}

const noData = 'no data'

function hitRatio({ hits, misses, hit_ratio: ratio }: Stats['cache']): string {
  return hits + misses === 0 ? noData : `${Math.round(ratio * 100)}%`
}

function assetMetric({ id, metric }: Asset): [string, Metric][] {
  if (metric === undefined) return []
  return [[metric.name, { label: metric.label, read: ({ day }) => compact(day.by_endpoint[id] ?? 0) }]]
}

/** One metric as a badge. The schema of the query allows only names that exist. */
export function metricBadge(metrics: Metrics, stats: Stats, query: StatsQuery): Badge {
  const metric = metrics[query.metric]
  if (metric === undefined) throw new Error(`There is no metric ${query.metric}.`)
  return {
    ...lookOf(query),
    label: query.label ?? metric.label,
    message: metric.read(stats),
    color: query.color ?? palette.blue,
    links: [],
  }
}

function compact(value: number): string {
  return formatCompact(value).toLowerCase()
}

function duration(seconds: number): string {
  const days = Math.floor(seconds / 86_400)
  const hours = Math.floor(seconds / 3600) % 24
  const minutes = Math.floor(seconds / 60) % 60
  if (days > 0) return `${days}d ${hours}h`
  return hours > 0 ? `${hours}h ${minutes}m` : `${minutes}m`
}

/** `metrics` are the names of those that can be shown as a badge. */
export function createStatsQuery(metrics: readonly string[]) {
  return Type.Object({
    format: choice(['json', 'svg', 'endpoint', 'prometheus'], { default: 'json', ...texts.format }),
    metric: choice(metrics, { default: 'requests_today', ...texts.metric }),
    ...optional({ label: text(0, 100, texts.label), color: formatted('color', texts.color) }),
    ...badgeLook,
    cacheSeconds: cacheLife(10),
  })
}

export type StatsQuerySchema = ReturnType<typeof createStatsQuery>
type StatsQuery = Static<StatsQuerySchema>
