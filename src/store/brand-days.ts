import type { Database } from './database.ts'
import type { Operation } from './operation.ts'
import { statementsOf } from './statements.ts'

/** How many cards of each brand each caller was given on each UTC day, in days since 1970-01-01. */
export interface BrandDayTable {
  /** @param caller a key's id, `demo` or `payment` */
  add(day: number, slug: string, caller: string, count: number): Operation<void>
  /** Since `firstDay`. */
  use(slug: string, firstDay: number): Operation<BrandUse>
  /** Removes at most `limit` rows from before `day`, and returns how many. */
  prune(beforeDay: number, limit: number): Operation<number>
}

/** How much of a brand is in use. */
export interface BrandUse {
  readonly cards: number
  /** How many keys asked for them. */
  readonly keys: number
}

export function createBrandDayTable(database: Database): BrandDayTable {
  const { one, run, write } = statementsOf(database)
  const use = one<[slug: string, firstDay: number], BrandUse>(
    `select coalesce(sum(count), 0) as cards,
       count(distinct case when caller in ('demo', 'payment') then null else caller end) as keys
     from brand_days where slug = ? and day >= ?`,
  )
  return {
    add: write(
      `insert into brand_days (day, slug, caller, count) values (?, ?, ?, ?)
       on conflict (day, slug, caller) do update set count = brand_days.count + excluded.count`,
    ),
    use: (slug, firstDay) => use(slug, firstDay).as((row) => row ?? { cards: 0, keys: 0 }),
    prune: run(
      `delete from brand_days where (day, slug, caller) in
       (select day, slug, caller from brand_days where day < ? limit ?)`,
    ),
  }
}
