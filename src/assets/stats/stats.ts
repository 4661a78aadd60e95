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
  const total = totals.byEndpoint
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
      requests: sumOf(rows),
      by_endpoint: countBy(endpoints, rows, 'endpoint'),
      by_auth: countBy(authModes, rows, 'auth'),
      by_status: countBy(statuses, rows, 'status'),
    },
    total: {
      since: new Date(Number(firstStartMs ?? startedAtMs)).toISOString(),
      requests: Object.values(total).reduce((sum, count) => sum + count, 0),
      by_endpoint: total,
    },
    last_7_days: Array.from({ length: 7 }, (_, index) => {
      const day = today - 6 + index
      return { date: isoDay(day), requests: sumOf(week.filter((row) => row.day === day)) }
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
    days(firstDay: number, lastDay: number): PromiseLike<readonly Count[]>
  }
  readonly traffic: {
    between(firstDay: number, lastDay: number): PromiseLike<readonly TrafficCount[]>
    totals(beforeDay: number): PromiseLike<readonly EndpointCount[]>
  }
  readonly usage: { used(day: number, bucket: string): PromiseLike<number> }
}

type EndpointCount = Pick<TrafficCount, 'endpoint' | 'count'>

type TrafficCount = Readonly<Record<'day' | 'count', number> & Record<'endpoint' | 'auth' | 'status', string>>

type CountsByName<Name extends string = string> = Readonly<Record<Name, number>>

type Totals = Awaited<ReturnType<ReturnType<typeof createTotals>>>

/** Returns a reader of the totals: before yesterday summed up once a day, later days each time, because refunds and settlements change them. */
function createTotals({ store: { traffic, paymentList }, endpoints, clock }: StatsDeps) {
  let past:
    | { readonly day: number; readonly rows: readonly EndpointCount[]; readonly payments: number }
    | undefined

  async function payments(firstDay: number, lastDay: number): Promise<number> {
    return sumOf(await paymentList.days(firstDay, lastDay))
  }

  return async () => {
    const day = utcDay(clock.now())
    if (past?.day !== day)
      past = { day, rows: await traffic.totals(day - 1), payments: await payments(0, day - 2) }
    const before = past
    const rows = [...before.rows, ...(await traffic.between(day - 1, day))]
    return {
      /** The UTC day that they were read on. */
      day,
      byEndpoint: countBy(endpoints, rows, 'endpoint'),
      payments: before.payments + (await payments(day - 1, day)),
    }
  }
}

/** The sums of the rows by a name; a row with another name counts nowhere. */
function countBy<const Name extends string, Key extends string>(
  names: readonly Name[],
  rows: readonly (Count & Readonly<Record<Key, string>>)[],
  key: Key,
): CountsByName<Name> {
  const counts = names.map((name: string) => [name, sumOf(rows.filter((row) => row[key] === name))])
  return Object.fromEntries(counts) as CountsByName<Name>
}

type Count = { readonly count: number }

function sumOf(rows: readonly Count[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0)
}
