import { sql } from 'drizzle-orm'
import { PgDeleteBase, PgDialect, PgInsertBuilder, PgUpdateBuilder, QueryBuilder } from 'drizzle-orm/pg-core'
import { type Builders, fields } from '../builders.ts'

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
