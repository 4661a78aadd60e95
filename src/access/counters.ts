import type { Incidents, ProcessReport } from '../assets/stats/process-report.ts'
import { writePrometheus } from '../assets/stats/prometheus.ts'
import { createStatsReader, type Stats } from '../assets/stats/stats.ts'
import type { CacheStats } from '../lib/byte-cache.ts'
import type { Clock } from '../lib/clock.ts'
import { createLatency } from '../lib/latency.ts'
import type { Store } from '../store/open.ts'
import { createTrafficLog } from './traffic-log.ts'
import { createTrafficObserver, type ObservedRequest } from './traffic-observer.ts'

/** Counts what the service answers. */
export interface Counters {
  /** To be called with every answer. */
  observe(request: ObservedRequest, response: Response, durationMs: number): void
  /** What this process counted. */
  report(): ProcessReport
  /** What all processes counted, at most a second old. */
  read(): Promise<Stats>
  /** The Prometheus text format. No counter in it ever goes down. */
  prometheus(maxAgeMs?: number): Promise<string>
  /** Stores what is only in memory. To be called before the store is closed. */
  flush(): void
}

interface CountersDeps {
  readonly store: Store
  /** The words that calls are counted under: the ids of the assets. */
  readonly endpoints: readonly string[]
  readonly clock: Clock
  readonly demoDailyQuota: number
  readonly cacheStats: () => CacheStats
  readonly incidents?: () => Incidents
  /** When the service started; this process may have been started later, in place of one that ended. */
  readonly startedAtMs?: number
  /** The reports of all processes together; without it there is only this process. */
  readonly total?: (maxAgeMs: number) => Promise<ProcessReport>
}

/** The public counters cost nothing to read, so they must not put every process to work each time. */
export const publicAgeMsMax = 1000

export function createCounters({
  store,
  endpoints,
  clock,
  demoDailyQuota,
  cacheStats,
  incidents = () => ({ linesLost: 0, unhandledErrors: 0 }),
  startedAtMs = clock.now(),
  total: totalOfAll,
}: CountersDeps): Counters {
  const latency = createLatency()
  const traffic = createTrafficLog({ store, clock })
  const stats = createStatsReader({ store, endpoints, clock, startedAtMs, demoDailyQuota })
  /** Counters in the store go down when a call is released: until new calls make up for it, the higher number stands. */
  const highest = new Map<string, number>()

  const total = totalOfAll ?? (async () => report())

  function report(): ProcessReport {
    return {
      cache: cacheStats(),
      latency: latency.snapshot(),
      incidents: incidents(),
      workerRestarts: 0,
      highest: Object.fromEntries(highest),
    }
  }

  return {
    observe: createTrafficObserver({ traffic, latency }),
    report,
    read: async () => stats.read(await total(publicAgeMsMax)),
    async prometheus(maxAgeMs = 0) {
      for (const [name, value] of Object.entries(stats.counters()))
        highest.set(name, Math.max(value, highest.get(name) ?? 0))
      const all = await total(maxAgeMs)
      return writePrometheus(stats.read(all), all)
    },
    flush: traffic.flush,
  }
}
