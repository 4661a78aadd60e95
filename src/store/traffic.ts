import { between, lt, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import type { Operation, Steps } from './operation.ts'
import { queriesOf } from './query.ts'
import { trafficDays } from './schema.ts'

export type TrafficRow = Readonly<typeof trafficDays.$inferSelect>

/** The status is `2xx`, `3xx`, `402`, `4xx` (without 402) or `5xx`. */
export type TrafficKind = Omit<TrafficRow, 'day' | 'count'>

/** The highest number that every database has in a column of days. */
const dayMax = 2 ** 31 - 1

/** How many requests there were, by UTC day, endpoint, authentication strategy and status class. */
export function createTrafficTable(database: Database) {
  const { texts } = database
  const { all, write } = queriesOf(database)
  const { day, endpoint, auth, status, count } = trafficDays
  const sum = sql<number>`sum(${count})`
  const add = write({ day, endpoint, auth, status, count }, (of, { raw }) => raw(texts.addTraffic(of)))
  const within = all({ firstDay: day, lastDay: day }, (of, { select }) =>
    select({ day, endpoint, auth, status, count: sum })
      .from(trafficDays)
      .where(between(day, of.firstDay, of.lastDay))
      .groupBy(day, endpoint, auth, status),
  )
  const totals = all({ beforeDay: day }, (of, { select }) =>
    select({ endpoint, count: sum }).from(trafficDays).where(lt(day, of.beforeDay)).groupBy(endpoint),
  )
  const copy = write({ upToDay: day }, (of, { raw }) => raw(texts.foldTraffic(of)))
  const drop = write({ upToDay: day }, (of, { remove }) =>
    remove(trafficDays).where(between(day, sql`1`, of.upToDay)),
  )
  return {
    /** Adds `count`, which may be negative; the sum never goes below zero. */
    add: (day: number, kind: TrafficKind, count: number) => add({ day, ...kind, count }),
    /** Every row of the days from `firstDay` to `lastDay`. */
    between: (firstDay: number, lastDay: number): Operation<readonly TrafficRow[]> =>
      within({ firstDay, lastDay }),
    /** Requests by endpoint over all time, or before a day. */
    totals: (beforeDay = dayMax) => totals({ beforeDay }),
    /** Folds the days before `day` into day 0, which keeps the totals and bounds the table. Belongs into a transaction. */
    *fold(beforeDay: number): Steps<void> {
      yield* copy({ upToDay: beforeDay - 1 })
      yield* drop({ upToDay: beforeDay - 1 })
    },
  }
}
