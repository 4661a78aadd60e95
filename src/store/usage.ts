import { and, between, eq, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { matches } from './matches.ts'
import { anyNumber, anyText, queriesOf } from './query.ts'
import { usageDays } from './schema.ts'

/** How many calls each bucket used on each UTC day, in days since 1970-01-01. The meter counts in it. */
export function createUsageTable(database: Database) {
  const { all, number, prune, run, write } = queriesOf(database)
  const { day, bucket, used } = usageDays
  const findUsed = number({ day, bucket }, (of, { select }) =>
    select({ number: used }).from(usageDays).where(matches({ day, bucket }, of)),
  )
  const set = write({ day, bucket, used }, (values, { insert }) =>
    insert(usageDays)
      .values(values)
      .onConflictDoUpdate({ target: [day, bucket], set: { used: sql`excluded.used` } }),
  )
  // Day by day, because the table is ordered by day: one look-up each, however many buckets there are.
  const history = all({ bucket, firstDay: day, lastDay: day }, (of, { raw }) =>
    raw(sql<{ day: number; used: number }>`with recursive days(day) as
      (select cast(${of.firstDay} as integer)
       union all select day + 1 from days where day < cast(${of.lastDay} as integer))
      select days.day, ${used} from days join ${usageDays} on ${day} = days.day and ${bucket} = ${of.bucket}
      order by days.day`),
  )
  const removeBetween = run(
    { day, first: anyText, last: anyText, limit: anyNumber },
    (of, { select, remove }) => {
      const found = select({ day, bucket })
        .from(usageDays)
        .where(and(eq(day, of.day), between(bucket, of.first, of.last)))
        .limit(of.limit)
      return remove(usageDays).where(sql`(${day}, ${bucket}) in ${found}`)
    },
  )
  return {
    used: (day: number, bucket: string) => findUsed({ day, bucket }),
    set: (day: number, bucket: string, used: number) => set({ day, bucket, used }),
    /** The days from `firstDay` to `lastDay` on which the bucket was used. */
    history: (bucket: string, firstDay: number, lastDay: number) => history({ bucket, firstDay, lastDay }),
    /** Removes at most `limit` rows from before `day`, and returns how many. */
    prune: prune(usageDays, day, [day, bucket]),
    /** Removes at most `limit` rows of one day whose bucket starts with `prefix`, and returns how many. */
    removeByPrefix: (day: number, prefix: string, limit: number) =>
      removeBetween({ day, first: prefix, last: `${prefix}\u{10ffff}`, limit }),
  }
}

export type UsageTable = ReturnType<typeof createUsageTable>
