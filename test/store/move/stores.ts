import { DatabaseSync } from 'node:sqlite'
import { migrate, openSqlite } from '../../../src/store/sqlite.ts'

/** Makes an empty database of this version at the path. */
export function makeSqlite(path: string): DatabaseSync {
  const sqlite = openSqlite(path)
  migrate(sqlite)
  sqlite.close()
  return new DatabaseSync(path)
}

/** Every row of every table but the marks of moves, in the order of their text. */
export function dump(path: string): ReadonlyMap<string, readonly string[]> {
  const database = new DatabaseSync(path, { readOnly: true })
  const tables = database
    .prepare(
      `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name not like 'keys_search%' and name <> 'generations'`,
    )
    .all()
  const rows = new Map(
    tables.map(({ name }) => {
      const number = ['keys', 'charges'].includes(String(name)) ? 'rowid as number, ' : ''
      const marks = name === 'facts' ? `where name <> 'moved_to'` : ''
      const all = database.prepare(`select ${number}* from ${name} ${marks}`).all()
      return [String(name), all.map(asText).sort()] as const
    }),
  )
  database.close()
  return rows
}

function asText(row: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(row, (_, value) => (value instanceof Uint8Array ? Bun.hash(value).toString() : value))
}
