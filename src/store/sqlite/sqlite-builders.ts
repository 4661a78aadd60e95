import { sql } from 'drizzle-orm'
import {
  QueryBuilder,
  SQLiteDeleteBase,
  SQLiteInsertBuilder,
  SQLiteSyncDialect,
  SQLiteUpdateBuilder,
} from 'drizzle-orm/sqlite-core'
import { type Builders, fields } from '../builders.ts'

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
