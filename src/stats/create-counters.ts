import { createTrafficLog } from '../access/traffic.ts'
import type { Exchange } from '../http/exchange.ts'
import type { CacheStats } from '../lib/cache.ts'
import type { Clock } from '../lib/clock.ts'
import type { Store } from '../store/open.ts'
import type { Incidents } from './incidents.ts'
import { createLatency } from './latency.ts'
import { createTrafficObserver } from './observe.ts'
import { createPrometheusWriter } from './prometheus.ts'
import { createStatsReader, type Stats } from './stats.ts'

/** Counts what the service answers, and tells. */
export interface Counters {
  /** To be told of every answer. */
  observe(exchange: Exchange, response: Response, durationMs: number): void
  read(): Stats
  /** The Prometheus text format. */
  prometheus(stats: Stats): string
  /** Stores what has gathered. To be called before the store is closed. */
  flush(): void
}

interface CountersDeps {
  readonly store: Store
  readonly clock: Clock
  readonly demoDailyQuota: number
  readonly cacheStats: () => CacheStats
  readonly incidents: () => Incidents
}

export function createCounters({
  store,
  clock,
  demoDailyQuota,
  cacheStats,
  incidents,
}: CountersDeps): Counters {
  const latency = createLatency()
  const traffic = createTrafficLog({ store, clock })
  const startedAtMs = clock.now()
  const { read } = createStatsReader({ store, clock, startedAtMs, demoDailyQuota, cacheStats, latency })
  return {
    observe: createTrafficObserver({ traffic, latency }),
    read,
    prometheus: createPrometheusWriter(latency, incidents),
    flush: traffic.flush,
  }
}
