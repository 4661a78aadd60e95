import { getTableColumns, sql } from 'drizzle-orm'
import { PgDeleteBase, PgDialect, PgInsertBuilder, PgUpdateBuilder, QueryBuilder } from 'drizzle-orm/pg-core'
import type { Builders, DialectTexts } from '../database.ts'
import { fields } from '../query.ts'
import { keys } from '../schema.ts'

const dialect = new PgDialect()
const queryBuilder = new QueryBuilder(dialect)
/** The store runs the queries, so the builders need no session. */
const session = undefined as never

/** PostgreSQL's builders take the tables of SQLite's schema, because they ask only for names of tables and columns. */
export const postgresBuilders = {
  select: (selected: never) => queryBuilder.select(fields(selected)),
  insert: (table: never) => new PgInsertBuilder(table, session, dialect),
  update: (table: never) => new PgUpdateBuilder(table, session, dialect),
  remove: (table: never) => new PgDeleteBase(table, session, dialect),
  raw: (text: never) => ({ toSQL: () => dialect.sqlToQuery(text) }),
  indexed: (table: never) => table,
  rowNumber: sql`number`,
} as unknown as Builders

/** @param shard the name under which this process counts traffic: letters and digits */
export function postgresTexts(shard: string): DialectTexts {
  return {
    searchKeys: ({ text, limit }) =>
      postgresBuilders
        .select(getTableColumns(keys))
        .from(keys)
        .where(sql`position(lower(${text}) in lower(${keys.id} || ' ' || ${keys.name})) > 0`)
        .orderBy(sql`number desc`)
        .limit(limit),
    searchTerm: (text) => text,
    addTraffic: ({ day, endpoint, auth, status, count }) =>
      sql`insert into traffic_days as known (day, endpoint, auth, status, shard, count)
       values (${day}, ${endpoint}, ${auth}, ${status}, ${sql.raw(`'${shard}'`)}, ${count})
       on conflict (day, endpoint, auth, status, shard) do update set count = known.count + excluded.count`,
    // One statement adds and removes the rows, so that two servers that fold at once do not add them twice.
    foldTraffic: ({ upToDay }) =>
      sql`with moved as (delete from traffic_days where day between 1 and ${upToDay} returning *)
       insert into traffic_days as known (day, endpoint, auth, status, shard, count)
       select 0, endpoint, auth, status, '', sum(count) from moved group by endpoint, auth, status
       on conflict (day, endpoint, auth, status, shard) do update set count = known.count + excluded.count`,
  }
}
