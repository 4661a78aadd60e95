import type { Badge } from '../badge/badge.ts'
import { palette } from '../badge/color-names.ts'
import { lookOf } from '../badge/query.ts'
import type { StatsMetric, StatsQuery } from './query.ts'
import type { Stats } from './stats.ts'

interface Metric {
  readonly label: string
  readonly read: (stats: Stats) => string
}

const metrics: Readonly<Record<StatsMetric, Metric>> = {
  requests_today: { label: 'requests today', read: ({ day }) => compact(day.requests) },
  requests_total: { label: 'requests', read: ({ total }) => compact(total.requests) },
  og_today: { label: 'cards today', read: ({ day }) => compact(day.by_endpoint.og) },
  badges_today: { label: 'badges today', read: ({ day }) => compact(day.by_endpoint.badge) },
  avatars_today: { label: 'avatars today', read: ({ day }) => compact(day.by_endpoint.avatar) },
  previews_today: { label: 'previews today', read: ({ day }) => compact(day.by_endpoint.preview) },
  demo_remaining: { label: 'demo calls left', read: ({ demo }) => compact(demo.remaining) },
  uptime: { label: 'uptime', read: ({ uptime_seconds }) => duration(uptime_seconds) },
  cache_hit_ratio: { label: 'cache hits', read: ({ cache }) => `${Math.round(cache.hit_ratio * 100)}%` },
  p99: { label: 'p99', read: ({ latency_ms }) => `${latency_ms.p99} ms` },
}

/** One number as a badge. */
export function metricBadge(stats: Stats, query: StatsQuery): Badge {
  const { label, read } = metrics[query.metric]
  return {
    ...lookOf(query),
    label: query.label ?? label,
    message: read(stats),
    color: query.color ?? palette.blue,
    links: [],
  }
}

const numbers = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

function compact(value: number): string {
  return numbers.format(value).toLowerCase()
}

function duration(seconds: number): string {
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ]
  if (days > 0) return `${days}d ${hours}h`
  return hours > 0 ? `${hours}h ${minutes}m` : `${minutes}m`
}
