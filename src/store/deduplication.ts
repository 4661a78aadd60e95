import { sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { matches } from './matches.ts'
import { queriesOf } from './query.ts'
import { deduplicationDays } from './schema.ts'

/** The deduplication keys that were counted: each counts once a day in its bucket. The meter adds them. */
export function createDeduplicationTable(database: Database) {
  const { exists, countUpTo, prune, write } = queriesOf(database)
  const { day, bucket, dedupKey } = deduplicationDays
  const one = sql`1`
  const has = exists({ day, bucket, dedupKey }, (of, { select }) =>
    select({ one }).from(deduplicationDays).where(matches({ day, bucket, dedupKey }, of)),
  )
  const add = write({ day, bucket, dedupKey }, (values, { insert }) =>
    insert(deduplicationDays).values(values).onConflictDoNothing(),
  )
  const count = countUpTo({ day, bucket }, (of, { select }) =>
    select({ one }).from(deduplicationDays).where(matches({ day, bucket }, of)),
  )
  return {
    has: (day: number, bucket: string, dedupKey: string) => has({ day, bucket, dedupKey }),
    add: (day: number, bucket: string, dedupKey: string) => add({ day, bucket, dedupKey }),
    /** How many keys a bucket counted on a day, up to `max`. */
    count: (day: number, bucket: string, max = 10_000) => count({ day, bucket, max }),
    /** Removes at most `limit` rows from before `day`, and returns how many. */
    prune: prune(deduplicationDays, day, [day, bucket, dedupKey]),
  }
}
