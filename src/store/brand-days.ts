import { and, eq, gte, lt, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { anyNumber, queriesOf } from './query.ts'
import { brandDays } from './schema.ts'

/** Use of a brand. */
export interface BrandUse {
  readonly cards: number
  /** How many keys asked for them. */
  readonly keys: number
}

/** How many cards of each brand each caller was given on each UTC day, in days since 1970-01-01. */
export function createBrandDayTable(database: Database) {
  const { one, run, write } = queriesOf(database)
  const { day, slug, caller, count } = brandDays
  const add = write({ day, slug, caller, count }, (values, { insert }) =>
    insert(brandDays)
      .values(values)
      .onConflictDoUpdate({ target: [day, slug, caller], set: { count: sql`${count} + excluded.count` } }),
  )
  const use = one({ slug, firstDay: day }, (of, { select }) =>
    select({
      cards: sql<number>`coalesce(sum(${count}), 0)`,
      keys: sql<number>`count(distinct case when ${caller} in ('demo', 'payment') then null else ${caller} end)`,
    })
      .from(brandDays)
      .where(and(eq(slug, of.slug), gte(day, of.firstDay))),
  )
  const prune = run({ beforeDay: day, limit: anyNumber }, (of, { select, remove }) => {
    const old = select({ day, slug, caller }).from(brandDays).where(lt(day, of.beforeDay)).limit(of.limit)
    return remove(brandDays).where(sql`(${day}, ${slug}, ${caller}) in ${old}`)
  })
  return {
    /** @param caller a key's id, `demo` or `payment` */
    add: (day: number, slug: string, caller: string, count: number) => add({ day, slug, caller, count }),
    /** Since `firstDay`. */
    use: (slug: string, firstDay: number) =>
      use({ slug, firstDay }).as((row): BrandUse => row ?? { cards: 0, keys: 0 }),
    /** Removes at most `limit` rows from before `day`, and returns how many. */
    prune: (beforeDay: number, limit: number) => prune({ beforeDay, limit }),
  }
}
