import type { Sqlite } from './sqlite.ts'
import { statementsOf } from './statements.ts'

/** The deduplication keys that were counted: each counts once a day in its bucket. */
export interface DeduplicationTable {
  has(day: number, bucket: string, dedupKey: string): boolean
  add(day: number, bucket: string, dedupKey: string): void
  remove(day: number, bucket: string, dedupKey: string): void
  /** How many keys a bucket counted on a day, up to `max`. */
  count(day: number, bucket: string, max?: number): number
  /** Removes at most `limit` rows from before `day`, and returns how many. */
  prune(beforeDay: number, limit: number): number
}

export function createDeduplicationTable(sqlite: Sqlite): DeduplicationTable {
  const { exists, countUpTo, run } = statementsOf(sqlite)
  const count = countUpTo('seen_days where day = ? and bucket = ?')
  return {
    has: exists('select 1 from seen_days where day = ? and bucket = ? and thing = ?'),
    add: run('insert into seen_days (day, bucket, thing) values (?, ?, ?) on conflict do nothing'),
    remove: run('delete from seen_days where day = ? and bucket = ? and thing = ?'),
    count: (day, bucket, max = 10_000) => count(day, bucket, max),
    prune: run(
      `delete from seen_days where (day, bucket, thing) in
       (select day, bucket, thing from seen_days where day < ? limit ?)`,
    ),
  }
}
