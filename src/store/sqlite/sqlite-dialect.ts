import { getTableColumns, sql } from 'drizzle-orm'
import {
  QueryBuilder,
  SQLiteDeleteBase,
  SQLiteInsertBuilder,
  SQLiteSyncDialect,
  SQLiteUpdateBuilder,
} from 'drizzle-orm/sqlite-core'
import type { Builders, DialectTexts } from '../database.ts'
import { fields } from '../query.ts'
import { keys } from '../schema.ts'

const dialect = new SQLiteSyncDialect()
const queryBuilder = new QueryBuilder(dialect)
/** The store runs the queries, so the builders need no session. */
const session = undefined as never

export const sqliteBuilders = {
  select: (selected: never) => queryBuilder.select(fields(selected)),
  insert: (table: never) => new SQLiteInsertBuilder(table, session, dialect),
  update: (table: never) => new SQLiteUpdateBuilder(table, session, dialect),
  remove: (table: never) => new SQLiteDeleteBase(table, session, dialect),
  raw: (text: never) => ({ toSQL: () => dialect.sqlToQuery(text) }),
  indexed: (table: never, index: string) => sql`${table} indexed by ${sql.identifier(index)}`,
  rowNumber: sql`rowid`,
} as unknown as Builders

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
