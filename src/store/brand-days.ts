import { and, eq, gte, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { queriesOf } from './query.ts'
import { brandDays } from './schema.ts'

/** Use of a brand. */
export interface BrandUse {
  readonly cards: number
  /** How many keys asked for them. */
  readonly keys: number
}

/** How many cards of each brand each caller was given on each UTC day, in days since 1970-01-01. */
export function createBrandDayTable(database: Database) {
  const { one, addCount, prune } = queriesOf(database)
  const { day, slug, caller, count } = brandDays
  const add = addCount(brandDays, [day, slug, caller], count)
  const use = one({ slug, firstDay: day }, (of, { select }) =>
    select({
      cards: sql<number>`coalesce(sum(${count}), 0)`,
      keys: sql<number>`count(distinct case when ${caller} in ('demo', 'payment') then null else ${caller} end)`,
    })
      .from(brandDays)
      .where(and(eq(slug, of.slug), gte(day, of.firstDay))),
  )
  return {
    /** @param caller a key's id, `demo` or `payment` */
    add: (day: number, slug: string, caller: string, count: number) => add({ day, slug, caller, count }),
    /** Since `firstDay`. */
    use: (slug: string, firstDay: number) =>
      use({ slug, firstDay }).as((row): BrandUse => row ?? { cards: 0, keys: 0 }),
    /** Removes at most `limit` rows from before `day`, and returns how many. */
    prune: prune(brandDays, day, [day, slug, caller]),
  }
}
