import type { Database } from './database.ts'
import type { Operation } from './operation.ts'
import { statementsOf } from './statements.ts'

/** How many calls each bucket used on each UTC day, in days since 1970-01-01. The meter counts in it. */
export interface UsageTable {
  used(day: number, bucket: string): Operation<number>
  set(day: number, bucket: string, used: number): Operation<void>
  /** The days from `firstDay` to `lastDay` on which the bucket was used. */
  history(bucket: string, firstDay: number, lastDay: number): Operation<readonly DayUsage[]>
  /** Removes at most `limit` rows from before `day`, and returns how many. */
  prune(beforeDay: number, limit: number): Operation<number>
  /** Removes at most `limit` rows of one day whose bucket starts with `prefix`, and returns how many. */
  removeByPrefix(day: number, prefix: string, limit: number): Operation<number>
}

interface DayUsage {
  readonly day: number
  readonly used: number
}

export function createUsageTable(database: Database): UsageTable {
  const { all, number, run, write } = statementsOf(database)
  // Day by day, because the table is ordered by day: one look-up each, however many buckets there are.
  const history = all<[firstDay: number, lastDay: number, bucket: string], DayUsage>(
    `with recursive days(day) as 
       (select cast(? as integer) union all select day + 1 from days where day < cast(? as integer))
     select days.day, used from days join usage_days on usage_days.day = days.day and bucket = ? order by days.day`,
  )
  const removeBetween = run(
    `delete from usage_days where (day, bucket) in
     (select day, bucket from usage_days where day = ? and bucket between ? and ? limit ?)`,
  )
  return {
    used: number('select used as number from usage_days where day = ? and bucket = ?'),
    set: write(
      `insert into usage_days (day, bucket, used) values (?, ?, ?)
       on conflict (day, bucket) do update set used = excluded.used`,
    ),
    history: (bucket, firstDay, lastDay) => history(firstDay, lastDay, bucket),
    prune: run(
      'delete from usage_days where (day, bucket) in (select day, bucket from usage_days where day < ? limit ?)',
    ),
    removeByPrefix: (day, prefix, limit) => removeBetween(day, prefix, `${prefix}\u{10ffff}`, limit),
  }
}
