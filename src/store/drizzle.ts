import { SQLiteBunSession } from 'drizzle-orm/bun-sqlite/session'
import { BaseSQLiteDatabase, SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
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
