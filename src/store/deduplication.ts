import type { Sqlite } from './sqlite.ts'

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
  const has = sqlite.prepare('select 1 from seen_days where day = ? and bucket = ? and thing = ?')
  const add = sqlite.prepare(
    'insert into seen_days (day, bucket, thing) values (?, ?, ?) on conflict do nothing',
  )
  const remove = sqlite.prepare('delete from seen_days where day = ? and bucket = ? and thing = ?')
  const count = sqlite.prepare<{ found: number }>(
    'select count(*) as found from (select 1 from seen_days where day = ? and bucket = ? limit ?)',
  )
  const prune = sqlite.prepare(
    `delete from seen_days where (day, bucket, thing) in
     (select day, bucket, thing from seen_days where day < ? limit ?)`,
  )
  return {
    has: (day, bucket, dedupKey) => has.get(day, bucket, dedupKey) !== undefined,
    add: (day, bucket, dedupKey) => void add.run(day, bucket, dedupKey),
    remove: (day, bucket, dedupKey) => void remove.run(day, bucket, dedupKey),
    count: (day, bucket, max = 10_000) => count.get(day, bucket, max)?.found ?? 0,
    prune: (beforeDay, limit) => Number(prune.run(beforeDay, limit).changes),
  }
}
