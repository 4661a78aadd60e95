import { writePrometheus } from '../assets/stats/prometheus.ts'
import { createStatsReader, type Stats } from '../assets/stats/stats.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { CacheStats } from '../lib/byte-cache.ts'
import type { Clock } from '../lib/clock.ts'
import type { Store } from '../store/open.ts'
import { createLatency } from './latency.ts'
import type { Incidents, ProcessReport } from './process-report.ts'
import { createTrafficLog } from './traffic-log.ts'
import { createTrafficObserver } from './traffic-observer.ts'

/** Counts what the service answers, and tells. */
export interface Counters {
  /** To be told of every answer. */
  observe(context: RequestContext, response: Response, durationMs: number): void
  /** What this process counted by itself. */
  report(): ProcessReport
  /** What all processes counted, a second ago at most. */
  read(): Promise<Stats>
  /** The Prometheus text format, of numbers that are at most so old. No counter in it ever goes down. */
  prometheus(maxAgeMs?: number): Promise<string>
  /** Stores what has gathered. To be called before the store is closed. */
  flush(): void
}

export interface CountersDeps {
  readonly store: Store
  readonly clock: Clock
  readonly demoDailyQuota: number
  readonly cacheStats: () => CacheStats
  readonly incidents?: () => Incidents
  /** When the service started; this process may have been started later, in place of one that ended. */
  readonly startedAtMs?: number
  /** The reports of all processes together, at most so old; without it there is only this process. */
  readonly total?: (maxAgeMs: number) => Promise<ProcessReport>
}

/** Looks at the public counters are free, so they must not set every process to work each time. */
export const publicAgeMsMax = 1000

export function createCounters({
  store,
  clock,
  demoDailyQuota,
  cacheStats,
  incidents = () => ({ linesLost: 0, unhandledErrors: 0 }),
  startedAtMs = clock.now(),
  total: totalOfAll,
}: CountersDeps): Counters {
  const latency = createLatency()
  const traffic = createTrafficLog({ store, clock })
  const stats = createStatsReader({ store, clock, startedAtMs, demoDailyQuota })
  /** Counters of the store go down where a call is given back: until it is made up for, the higher number stands. */
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
