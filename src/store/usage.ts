import type { Sqlite } from './sqlite.ts'
import { statementsOf } from './statements.ts'

/** How many calls each bucket used on each UTC day, in days since 1970-01-01. */
export interface UsageTable {
  used(day: number, bucket: string): number
  /** To be called within the transaction that has read the number. */
  set(day: number, bucket: string, used: number): void
  /** The days from `firstDay` to `lastDay` on which the bucket was used. */
  history(bucket: string, firstDay: number, lastDay: number): readonly DayUsage[]
  /** Removes at most `limit` rows from before `day`, and returns how many. */
  prune(beforeDay: number, limit: number): number
  /** Removes at most `limit` rows of one day whose bucket starts with `prefix`, and returns how many. */
  removeByPrefix(day: number, prefix: string, limit: number): number
}

interface DayUsage {
  readonly day: number
  readonly used: number
}

export function createUsageTable(sqlite: Sqlite): UsageTable {
  const { all, number, run } = statementsOf(sqlite)
  // Day by day, because the table is ordered by day: one look-up each, however many buckets there are.
  const history = all<[firstDay: number, lastDay: number, bucket: string], DayUsage>(
    `with recursive days(day) as (select ? union all select day + 1 from days where day < ?)
     select days.day, used from days join usage_days on usage_days.day = days.day and bucket = ? order by days.day`,
  )
  const removeBetween = run(
    `delete from usage_days where (day, bucket) in
     (select day, bucket from usage_days where day = ? and bucket between ? and ? limit ?)`,
  )
  return {
    used: number('select used as number from usage_days where day = ? and bucket = ?'),
    set: run(
      'insert into usage_days (day, bucket, used) values (?, ?, ?) on conflict do update set used = excluded.used',
    ),
    history: (bucket, firstDay, lastDay) => history(firstDay, lastDay, bucket),
    prune: run(
      'delete from usage_days where (day, bucket) in (select day, bucket from usage_days where day < ? limit ?)',
    ),
    removeByPrefix: (day, prefix, limit) => removeBetween(day, prefix, `${prefix}\u{10ffff}`, limit),
  }
}
