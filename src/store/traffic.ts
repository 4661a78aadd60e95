import type { Database } from './database.ts'
import type { Operation, Steps } from './operation.ts'
import { statementsOf } from './statements.ts'

/** How many requests there were, by UTC day, endpoint, authentication strategy and status class. */
export interface TrafficTable {
  /** Adds `count`, which may be negative; the sum never goes below zero. */
  add(day: number, kind: TrafficKind, count: number): Operation<void>
  /** Every row of the days from `firstDay` to `lastDay`. */
  between(firstDay: number, lastDay: number): Operation<readonly TrafficRow[]>
  /** Requests by endpoint over all time, or before a day. */
  totals(beforeDay?: number): Operation<readonly { readonly endpoint: string; readonly count: number }[]>
  /** Folds the days before `day` into day 0, which keeps the totals and bounds the table. Belongs into a transaction. */
  fold(beforeDay: number): Steps<void>
}

export interface TrafficKind {
  readonly endpoint: string
  readonly auth: string
  /** `2xx`, `3xx`, `402`, `4xx` (without 402) or `5xx`. */
  readonly status: string
}

export interface TrafficRow extends TrafficKind {
  readonly day: number
  readonly count: number
}

/** The highest number that every database has in a column of days. */
const dayMax = 2 ** 31 - 1

export function createTrafficTable(database: Database): TrafficTable {
  const { texts } = database
  const { all, write } = statementsOf(database)
  const add = write(texts.addTraffic)
  const totals = all<[beforeDay: number], { endpoint: string; count: number }>(
    'select endpoint, sum(count) as count from traffic_days where day < ? group by endpoint',
  )
  const copy = write(texts.foldTraffic)
  const drop = write('delete from traffic_days where day between 1 and ?')
  return {
    add: (day, { endpoint, auth, status }, count) => add(day, endpoint, auth, status, count),
    between: all(
      `select day, endpoint, auth, status, sum(count) as count from traffic_days
       where day between ? and ? group by day, endpoint, auth, status`,
    ),
    totals: (beforeDay = dayMax) => totals(beforeDay),
    *fold(beforeDay) {
      yield* copy(beforeDay - 1)
      yield* drop(beforeDay - 1)
    },
  }
}
