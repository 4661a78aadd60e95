import { getTableColumns, sql } from 'drizzle-orm'
import { SQLiteBunSession } from 'drizzle-orm/bun-sqlite/session'
import { BaseSQLiteDatabase, SQLiteSyncDialect, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Sqlite } from './sqlite.ts'

/** Typed queries over the same connection, for whatever is not on the path of every call. */
export function createQueries(sqlite: Sqlite) {
  // drizzle has no driver for node:sqlite; its session for Bun asks for exactly what `Sqlite` offers.
  const client = { prepare: sqlite.prepare, exec: sqlite.exec }
  const dialect = new SQLiteSyncDialect()
  const session = new SQLiteBunSession(client as never, dialect, undefined)
  return new BaseSQLiteDatabase<'sync', void>('sync', dialect, session as never, undefined)
}

export type Queries = ReturnType<typeof createQueries>

/** Stands for a value that a prepared query is given later, by this name. */
export const given = sql.placeholder

export function literal(word: string) {
  return sql.raw(`'${word}'`)
}

/** For an insert that is prepared: a placeholder for each column, and what completes a row for it. */
export function preparedRow<Table extends SQLiteTable>(table: Table) {
  const columns = Object.entries(getTableColumns(table))
  return {
    values: Object.fromEntries(columns.map(([name]) => [name, given(name)])) as Table['$inferInsert'],
    complete: (row: Readonly<Record<string, unknown>>) =>
      Object.fromEntries(columns.map(([name, column]) => [name, row[name] ?? column.default ?? null])),
  }
}
