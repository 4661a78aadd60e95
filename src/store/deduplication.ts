import type { Database } from './database.ts'
import type { Operation } from './operation.ts'
import { statementsOf } from './statements.ts'

/** The deduplication keys that were counted: each counts once a day in its bucket. The meter adds them. */
export interface DeduplicationTable {
  has(day: number, bucket: string, dedupKey: string): Operation<boolean>
  add(day: number, bucket: string, dedupKey: string): Operation<void>
  /** How many keys a bucket counted on a day, up to `max`. */
  count(day: number, bucket: string, max?: number): Operation<number>
  /** Removes at most `limit` rows from before `day`, and returns how many. */
  prune(beforeDay: number, limit: number): Operation<number>
}

export function createDeduplicationTable(database: Database): DeduplicationTable {
  const { exists, countUpTo, run, write } = statementsOf(database)
  const count = countUpTo('seen_days where day = ? and bucket = ?')
  return {
    has: exists('select 1 from seen_days where day = ? and bucket = ? and thing = ?'),
    add: write('insert into seen_days (day, bucket, thing) values (?, ?, ?) on conflict do nothing'),
    count: (day, bucket, max = 10_000) => count(day, bucket, max),
    prune: run(
      `delete from seen_days where (day, bucket, thing) in
       (select day, bucket, thing from seen_days where day < ? limit ?)`,
    ),
  }
}
