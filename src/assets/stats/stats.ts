import { latencyQuantilesMs } from '../../access/latency.ts'
import type { ProcessReport } from '../../access/process-report.ts'
import { type Clock, dayMs, isoDay, utcDay } from '../../lib/clock.ts'
import { version } from '../../lib/version.ts'
import type { Store } from '../../store/open.ts'
import type { TrafficRow } from '../../store/traffic.ts'

export const endpoints = ['og', 'sitemap', 'avatar', 'badge', 'preview', 'stats'] as const
const auths = ['demo', 'key', 'payment', 'free'] as const
const statuses = ['2xx', '3xx', '4xx', '402', '5xx'] as const

export type Endpoint = (typeof endpoints)[number]
const names: ReadonlySet<string> = new Set(endpoints)
type Counts<Name extends string> = Readonly<Record<Name, number>>

/** How busy the service is. The names are those of the public JSON. */
export type Stats = ReturnType<typeof readStats>

export interface StatsDeps {
  readonly store: Pick<Store, 'keyValues' | 'keys' | 'paymentList' | 'traffic' | 'usage'>
  readonly clock: Clock
  readonly startedAtMs: number
  readonly demoDailyQuota: number
}

/**
 * What was counted before yesterday: it is summed up once a day, however long the history is. Yesterday may still
 * change: a call is given back, and a payment settles, on the day that it came.
 */
interface Past {
  readonly day: number
  readonly byEndpoint: Counts<Endpoint>
  readonly payments: number
}

export interface StatsReader {
  /** @param all what every process counted for itself */
  read(all: ProcessReport): Stats
  /** The numbers of the store that are counters, by name. */
  counters(): Readonly<Record<string, number>>
}

export function createStatsReader(deps: StatsDeps): StatsReader {
  let kept: Past | undefined

  function pastNow(): Past {
    const today = utcDay(deps.clock.now())
    if (kept?.day !== today) kept = readPast(deps, today)
    return kept
  }

  return {
    read: (all) => readStats(deps, pastNow(), all),
    counters: () => readCounters(deps, pastNow()),
  }
}

function readCounters({ store }: StatsDeps, past: Past): Readonly<Record<string, number>> {
  const requests = Object.entries(requestsInAll(store, past)).map(([name, count]) => [
    `requests ${name}`,
    count,
  ])
  return {
    ...Object.fromEntries(requests),
    'keys issued': store.keys.issued(),
    'payments verified': paymentsInAll(store, past),
  }
}

function requestsInAll({ traffic }: StatsDeps['store'], past: Past): Counts<Endpoint> {
  const recent = tally(endpoints, traffic.between(past.day - 1, past.day), ({ endpoint }) => endpoint)
  return mapCounts(endpoints, (name) => past.byEndpoint[name] + recent[name])
}

function paymentsInAll(store: StatsDeps['store'], past: Past): number {
  return past.payments + verified(store, past.day - 1, past.day)
}

function readPast({ store }: StatsDeps, today: number): Past {
  const all = tally(endpoints, store.traffic.totals(), ({ endpoint }) => endpoint)
  const recent = tally(endpoints, store.traffic.between(today - 1, today), ({ endpoint }) => endpoint)
  return {
    day: today,
    byEndpoint: mapCounts(endpoints, (name) => all[name] - recent[name]),
    payments: verified(store, 0, today - 2),
  }
}

function verified({ paymentList }: StatsDeps['store'], firstDay: number, lastDay: number): number {
  return paymentList.days(firstDay, lastDay).reduce((count, day) => count + day.count, 0)
}

function readStats(
  { store, clock, startedAtMs, demoDailyQuota }: StatsDeps,
  past: Past,
  { cache, latency }: ProcessReport,
) {
  const nowMs = clock.now()
  const { day: today } = past
  const week = store.traffic.between(today - 6, today).filter(({ endpoint }) => names.has(endpoint))
  const rows = week.filter(({ day }) => day === today)
  const byEndpoint = tally(endpoints, rows, ({ endpoint }) => endpoint)
  const allByEndpoint = requestsInAll(store, past)
  const demoUsed = store.usage.used(today, 'demo')
  const resetsAt = new Date((today + 1) * dayMs).toISOString()
  const { entries, bytes, hits, misses } = cache
  return {
    kind: 'stats',
    service: 'mintmark',
    version,
    now: new Date(nowMs).toISOString(),
    started_at: new Date(startedAtMs).toISOString(),
    uptime_seconds: Math.max(0, Math.floor((nowMs - startedAtMs) / 1000)),
    day: {
      date: isoDay(today),
      resets_at: resetsAt,
      requests: sum(byEndpoint),
      by_endpoint: byEndpoint,
      by_auth: tally(auths, rows, ({ auth }) => auth),
      by_status: tally(statuses, rows, ({ status }) => status),
    },
    total: {
      since: new Date(Number(store.keyValues.get('created_at_ms') ?? startedAtMs)).toISOString(),
      requests: sum(allByEndpoint),
      by_endpoint: allByEndpoint,
    },
    last_7_days: Array.from({ length: 7 }, (_, index) => {
      const day = today - 6 + index
      const requests = tally(
        endpoints,
        week.filter((row) => row.day === day),
        ({ endpoint }) => endpoint,
      )
      return { date: isoDay(day), requests: sum(requests) }
    }),
    demo: {
      limit: demoDailyQuota,
      used: demoUsed,
      remaining: Math.max(0, demoDailyQuota - demoUsed),
      resets_at: resetsAt,
    },
    cache: { entries, bytes, hits, misses, hit_ratio: ratio(hits, hits + misses) },
    latency_ms: latencyQuantilesMs(latency),
    keys: { issued: store.keys.issued() },
    payments: { verified: paymentsInAll(store, past) },
  } as const
}

type Row = Pick<TrafficRow, 'endpoint' | 'count'>

function tally<const Name extends string, R extends Row>(
  names: readonly Name[],
  rows: readonly R[],
  nameOf: (row: R) => string,
) {
  return mapCounts(names, (name) =>
    rows.reduce((count, row) => (nameOf(row) === name ? count + row.count : count), 0),
  )
}

function mapCounts<Name extends string>(
  names: readonly Name[],
  countOf: (name: Name) => number,
): Counts<Name> {
  return Object.fromEntries(names.map((name) => [name, countOf(name)])) as Counts<Name>
}

function sum(counts: Counts<string>): number {
  return Object.values(counts).reduce((one, other) => one + other, 0)
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000
}
