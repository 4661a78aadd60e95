import type { Sqlite } from './sqlite.ts'

/** Things that count once a day in a bucket, and were counted. */
export interface DeduplicationTable {
  has(day: number, bucket: string, thing: string): boolean
  add(day: number, bucket: string, thing: string): void
  remove(day: number, bucket: string, thing: string): void
  /** How many things a bucket counted on a day, up to `most`. */
  count(day: number, bucket: string, most?: number): number
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
    has: (day, bucket, thing) => has.get(day, bucket, thing) !== undefined,
    add: (day, bucket, thing) => void add.run(day, bucket, thing),
    remove: (day, bucket, thing) => void remove.run(day, bucket, thing),
    count: (day, bucket, most = 10_000) => count.get(day, bucket, most)?.found ?? 0,
    prune: (beforeDay, limit) => Number(prune.run(beforeDay, limit).changes),
  }
}
