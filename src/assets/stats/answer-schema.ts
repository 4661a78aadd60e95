import { Type } from '@sinclair/typebox'
import { count, counts, day, instant, nullable, string } from '../../lib/answer-schemas.ts'

const milliseconds = nullable(Type.Number())
export const authModes = ['demo', 'key', 'payment', 'free'] as const
export const statuses = ['2xx', '3xx', '4xx', '402', '5xx'] as const

/** The JSON of the counters, with one count for each endpoint. */
export function statsSchema(endpoints: readonly string[]) {
  const byEndpoint = counts(...endpoints)
  return Type.Object({
    kind: Type.Literal('stats'),
    service: string,
    version: string,
    now: instant,
    started_at: instant,
    uptime_seconds: count,
    day: Type.Object({
      date: day,
      resets_at: instant,
      requests: count,
      by_endpoint: byEndpoint,
      by_auth: counts(...authModes),
      by_status: counts(...statuses),
    }),
    total: Type.Object({ since: instant, requests: count, by_endpoint: byEndpoint }),
    last_7_days: Type.Array(Type.Object({ date: day, requests: count })),
    demo: Type.Object({ limit: count, used: count, remaining: count, resets_at: instant }),
    cache: Type.Object({
      entries: count,
      bytes: count,
      hits: count,
      misses: count,
      hit_ratio: Type.Number(),
    }),
    latency_ms: Type.Object({ p50: milliseconds, p90: milliseconds, p99: milliseconds }),
    keys: counts('issued'),
    payments: counts('verified'),
  })
}
