import type { Sqlite } from './sqlite.ts'
import { statementsOf } from './statements.ts'

/** How many requests there were, by UTC day, endpoint, authentication strategy and status class. */
export interface TrafficTable {
  /** Adds `count`, which may be negative; the sum never goes below zero. */
  add(day: number, kind: TrafficKind, count: number): void
  /** Every row of the days from `firstDay` to `lastDay`. */
  between(firstDay: number, lastDay: number): readonly TrafficRow[]
  /** Requests by endpoint over all time. */
  totals(): readonly { readonly endpoint: string; readonly count: number }[]
  /** Folds the days before `day` into day 0, which keeps the totals and bounds the table. */
  fold(beforeDay: number): void
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

export function createTrafficTable(sqlite: Sqlite): TrafficTable {
  const { all, run } = statementsOf(sqlite)
  const add = run(
    `insert into traffic_days (day, endpoint, auth, status, count) values (?1, ?2, ?3, ?4, max(0, ?5))
     on conflict do update set count = max(0, count + ?5)`,
  )
  const copy = run(
    `insert into traffic_days (day, endpoint, auth, status, count)
     select 0, endpoint, auth, status, sum(count) from traffic_days
     where day between 1 and ? group by endpoint, auth, status
     on conflict do update set count = count + excluded.count`,
  )
  const drop = run('delete from traffic_days where day between 1 and ?')
  return {
    add: (day, { endpoint, auth, status }, count) => void add(day, endpoint, auth, status, count),
    between: all('select * from traffic_days where day between ? and ?'),
    totals: all('select endpoint, sum(count) as count from traffic_days group by endpoint'),
    fold(beforeDay) {
      sqlite.transaction(() => {
        copy(beforeDay - 1)
        drop(beforeDay - 1)
      })
    },
  }
}
