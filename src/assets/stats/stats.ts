import { Type } from '@sinclair/typebox'
import { count, counts, day, instant, nullable, string } from '../../lib/answer-schemas.ts'
import { type Clock, dayMs, isoDay, utcDay } from '../../lib/clock.ts'
import { roundTo } from '../../lib/human-format.ts'
import { latencyQuantilesMs } from '../../lib/latency.ts'
import { version } from '../../lib/version.ts'
import type { ProcessReport } from './process-report.ts'

export type Stats = Awaited<ReturnType<typeof readStats>>

export interface StatsSource {
  read(): Promise<Stats>
  prometheus(): Promise<string>
}

interface StatsDeps {
  readonly store: StoredCounters
  /** The words that calls are counted under: the ids of the assets. */
  readonly endpoints: readonly string[]
  readonly clock: Clock
  readonly startedAtMs: number
  readonly demoDailyQuota: number
}

export function createStatsReader(deps: StatsDeps) {
  const totals = createTotals(deps)
  return {
    /** @param all the reports of all processes together */
    read: async (all: ProcessReport) => readStats(deps, await totals(), all),
    /** The stored numbers that only grow, by name. */
    async counters(): Promise<CountsByName> {
      const { byEndpoint, payments } = await totals()
      const requests = Object.entries(byEndpoint).map(([name, count]) => [`requests ${name}`, count])
      return {
        ...Object.fromEntries(requests),
        'keys issued': await deps.store.keys.issued(),
        'payments verified': payments,
      }
    },
  }
}

async function readStats(
  { store, endpoints, clock, startedAtMs, demoDailyQuota }: StatsDeps,
  totals: Totals,
  { cache, latency }: ProcessReport,
) {
  const nowMs = clock.now()
  const { day: today } = totals
  const counted = await store.traffic.between(today - 6, today)
  const week = counted.filter(({ endpoint }) => endpoints.includes(endpoint))
  const rows = week.filter(({ day }) => day === today)
  const byEndpoint = countBy(endpoints, rows, ({ endpoint }) => endpoint)
  const demoUsed = await store.usage.used(today, 'demo')
  const firstStartMs = await store.keyValues.get('created_at_ms')
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
      by_auth: countBy(authModes, rows, ({ auth }) => auth),
      by_status: countBy(statuses, rows, ({ status }) => status),
    },
    total: {
      since: new Date(Number(firstStartMs ?? startedAtMs)).toISOString(),
      requests: sum(totals.byEndpoint),
      by_endpoint: totals.byEndpoint,
    },
    last_7_days: Array.from({ length: 7 }, (_, index) => {
      const day = today - 6 + index
      const requests = week.filter((row) => row.day === day).reduce((count, row) => count + row.count, 0)
      return { date: isoDay(day), requests }
    }),
    demo: {
      limit: demoDailyQuota,
      used: demoUsed,
      remaining: Math.max(0, demoDailyQuota - demoUsed),
      resets_at: resetsAt,
    },
    cache: { entries, bytes, hits, misses, hit_ratio: roundTo(hits / Math.max(1, hits + misses), 4) },
    latency_ms: latencyQuantilesMs(latency),
    keys: { issued: await store.keys.issued() },
    payments: { verified: totals.payments },
  } as const
}

function sum(counts: CountsByName): number {
  return Object.values(counts).reduce((one, other) => one + other, 0)
}

const milliseconds = nullable(Type.Number())
const authModes = ['demo', 'key', 'payment', 'free'] as const
export const statuses = ['2xx', '3xx', '4xx', '402', '5xx'] as const

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
      ...counts('entries', 'bytes', 'hits', 'misses').properties,
      hit_ratio: Type.Number(),
    }),
    latency_ms: Type.Object({ p50: milliseconds, p90: milliseconds, p99: milliseconds }),
    keys: counts('issued'),
    payments: counts('verified'),
  })
}

/** The stored counters, as far as the statistics read them. Days are UTC days since 1970; ranges include both ends. */
interface StoredCounters {
  readonly keyValues: { get(name: string): PromiseLike<string | undefined> }
  readonly keys: { issued(): PromiseLike<number> }
  readonly paymentList: {
    days(firstDay: number, lastDay: number): PromiseLike<readonly { readonly count: number }[]>
  }
  readonly traffic: {
    between(firstDay: number, lastDay: number): PromiseLike<readonly TrafficCount[]>
    totals(beforeDay: number): PromiseLike<readonly Pick<TrafficCount, 'endpoint' | 'count'>[]>
  }
  readonly usage: { used(day: number, bucket: string): PromiseLike<number> }
}

type TrafficCount = Readonly<Record<'day' | 'count', number> & Record<'endpoint' | 'auth' | 'status', string>>

type CountsByName<Name extends string = string> = Readonly<Record<Name, number>>

/** `day` is the UTC day that they were read on. */
type Totals = Readonly<Record<'day' | 'payments', number>> & { readonly byEndpoint: CountsByName }

/** Returns a reader of the totals: before yesterday summed up once a day, later days each time, because refunds and settlements change them. */
function createTotals({ store: { traffic, paymentList }, endpoints, clock }: StatsDeps) {
  let past: Totals | undefined

  function byEndpoint(rows: readonly Pick<TrafficCount, 'endpoint' | 'count'>[]) {
    return countBy(endpoints, rows, ({ endpoint }) => endpoint)
  }

  async function payments(firstDay: number, lastDay: number): Promise<number> {
    return (await paymentList.days(firstDay, lastDay)).reduce((count, day) => count + day.count, 0)
  }

  return async (): Promise<Totals> => {
    const day = utcDay(clock.now())
    if (past?.day !== day) {
      const earlier = byEndpoint(await traffic.totals(day - 1))
      past = { day, byEndpoint: earlier, payments: await payments(0, day - 2) }
    }
    const before = past
    const recent = byEndpoint(await traffic.between(day - 1, day))
    return {
      day,
      byEndpoint: mapCounts(endpoints, (name) => (before.byEndpoint[name] ?? 0) + (recent[name] ?? 0)),
      payments: before.payments + (await payments(day - 1, day)),
    }
  }
}

/** The sums of the rows by a name; a row with another name counts nowhere. */
function countBy<const Name extends string, Row extends { readonly count: number }>(
  names: readonly Name[],
  rows: readonly Row[],
  nameOf: (row: Row) => string,
): CountsByName<Name> {
  return mapCounts(names, (name) =>
    rows.reduce((count, row) => (nameOf(row) === name ? count + row.count : count), 0),
  )
}

function mapCounts<Name extends string>(
  names: readonly Name[],
  countOf: (name: Name) => number,
): CountsByName<Name> {
  return Object.fromEntries(names.map((name) => [name, countOf(name)])) as CountsByName<Name>
}
