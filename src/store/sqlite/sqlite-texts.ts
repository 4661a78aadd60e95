import { getTableColumns, sql } from 'drizzle-orm'
import type { DialectTexts } from '../dialect-texts.ts'
import { keys } from '../schema.ts'
import { sqliteBuilders } from './sqlite-builders.ts'

export const sqliteTexts: DialectTexts = {
  searchKeys({ text, limit }) {
    const found = sql`(select rowid as found from keys_search where keys_search match ${text}
      order by rowid desc limit ${limit})`
    return sqliteBuilders
      .select(getTableColumns(keys))
      .from(found)
      .innerJoin(keys, sql`${keys}.rowid = found`)
      .orderBy(sql`found desc`)
  },
  searchTerm: (text) => `"${text.replaceAll('"', '""')}"`,
  addTraffic: ({ day, endpoint, auth, status, count }) =>
    sql`insert into traffic_days (day, endpoint, auth, status, count)
      values (${day}, ${endpoint}, ${auth}, ${status}, max(0, ${count}))
      on conflict do update set count = max(0, count + ${count})`,
  foldTraffic: ({ upToDay }) => sql`insert into traffic_days (day, endpoint, auth, status, count)
    select 0, endpoint, auth, status, sum(count) from traffic_days
    where day between 1 and ${upToDay} group by endpoint, auth, status
    on conflict do update set count = count + excluded.count`,
}
