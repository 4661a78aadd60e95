import { type Clock, utcDay } from '../../lib/clock.ts'

/** The stored counters, as far as the statistics read them. Days are UTC days since 1970; ranges include both ends. */
export interface StoredCounters {
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

interface TrafficCount {
  readonly day: number
  readonly endpoint: string
  readonly auth: string
  readonly status: string
  readonly count: number
}

export type CountsByName<Name extends string = string> = Readonly<Record<Name, number>>

export interface Totals {
  /** The UTC day that they were read on. */
  readonly day: number
  readonly byEndpoint: CountsByName
  readonly payments: number
}

/**
 * Returns a reader of the totals. The history before yesterday is summed up once a day. Yesterday is read each time, because a call
 * is refunded, and a payment settles, on the day that it came.
 */
export function createTotals(
  store: Pick<StoredCounters, 'paymentList' | 'traffic'>,
  endpoints: readonly string[],
  clock: Clock,
): () => Promise<Totals> {
  const { traffic, paymentList } = store
  let past: Totals | undefined

  function byEndpoint(rows: readonly Pick<TrafficCount, 'endpoint' | 'count'>[]): CountsByName {
    return countBy(endpoints, rows, ({ endpoint }) => endpoint)
  }

  async function payments(firstDay: number, lastDay: number): Promise<number> {
    return (await paymentList.days(firstDay, lastDay)).reduce((count, day) => count + day.count, 0)
  }

  return async () => {
    const day = utcDay(clock.now())
    if (past?.day !== day) {
      past = {
        day,
        byEndpoint: byEndpoint(await traffic.totals(day - 1)),
        payments: await payments(0, day - 2),
      }
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
export function countBy<const Name extends string, Row extends { readonly count: number }>(
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
