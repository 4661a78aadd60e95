import { noResponses, type ProcessReport, responseOutcome } from '../assets/stats/process-report.ts'
import { writePrometheus } from '../assets/stats/prometheus.ts'
import { createStatsReader, type Stats } from '../assets/stats/stats.ts'
import type { CacheStats } from '../lib/byte-cache.ts'
import type { Clock } from '../lib/clock.ts'
import { createLatency } from '../lib/latency.ts'
import type { Store } from '../store/open.ts'
import { findStoreError } from '../store/store-error.ts'
import type { TrafficLog } from './traffic-log.ts'

interface CountersDeps {
  readonly store: Store
  readonly traffic: TrafficLog
  readonly endpoints: readonly string[]
  readonly clock: Clock
  readonly demoDailyQuota: number
  readonly cacheStats: () => CacheStats
  readonly incidents?: () => ProcessReport['incidents']
  /** When the service started; this process may have been started later, in place of one that ended. */
  readonly startedAtMs?: number
  /** The reports of all processes together; without it there is only this process. */
  readonly total?: (maxAgeMs: number) => Promise<ProcessReport>
}

type Answered = Readonly<{ method: string; logFields: { asset?: string; auth?: string } }>

/** The public counters cost nothing to read, so they must not put every process to work each time. */
export const publicAgeMsMax = 1000

export function createCounters(deps: CountersDeps) {
  const { traffic, cacheStats, startedAtMs = deps.clock.now(), total = async () => report() } = deps
  const latency = createLatency()
  const responses = { ...noResponses }
  const stats = createStatsReader({ ...deps, startedAtMs })
  /** Counters in the store go down when a call is released: until new calls make up for it, the higher number stands. */
  const highest = new Map<string, number>()

  let lastRead: Stats | undefined

  function report(): ProcessReport {
    return {
      cache: cacheStats(),
      responses: { ...responses },
      latency: latency.snapshot(),
      incidents: deps.incidents?.() ?? { linesLost: 0, unhandledErrors: 0 },
      workerRestarts: 0,
      highest: Object.fromEntries(highest),
    }
  }

  return {
    /** To be called with every answer. The authorizer counts by day what it granted; the others are counted here. */
    observe({ method, logFields }: Answered, { status }: Response, durationMs: number): void {
      responses[responseOutcome(status)] += 1
      const { asset: endpoint, auth } = logFields
      if (endpoint === undefined) return
      latency.observe(endpoint, durationMs)
      const isCounted = auth !== undefined && method !== 'HEAD' && status < 300
      const ofStatus = status === 402 ? '402' : (classes[Math.floor(status / 100)] ?? '5xx')
      traffic.answered(endpoint, isCounted ? auth : 'free', ofStatus)
      if (!isCounted) traffic.record({ endpoint, auth: 'free', status: ofStatus })
    },
    report,
    async read(): Promise<Stats> {
      try {
        lastRead = await stats.read(await total(publicAgeMsMax))
      } catch (error) {
        if (lastRead === undefined || findStoreError(error) === undefined) throw error
      }
      return lastRead
    },
    /** The Prometheus text format. No counter in it ever goes down. */
    async prometheus(maxAgeMs = 0) {
      for (const [name, value] of Object.entries(await stats.counters()))
        highest.set(name, Math.max(value, highest.get(name) ?? 0))
      const all = await total(maxAgeMs)
      return writePrometheus(await stats.read(all), all)
    },
    flush: traffic.flush,
  }
}

/** Words that stand, because they are compared at each request. */
const classes = ['', '1xx', '2xx', '3xx', '4xx', '5xx']
