import { migrations } from './migrations.generated.ts'
import type { Sqlite } from './sqlite.ts'

export function schemaVersion(sqlite: Pick<Sqlite, 'prepare'>): number {
  return sqlite.prepare<{ user_version: number }>('pragma user_version').get()?.user_version ?? 0
}

/** Processes that start together wait for one another, and one migrates. Throws `newer()` for a newer database. */
export function migrate(
  sqlite: Sqlite,
  newer = () => new Error('The database was written by a newer version of Mintmark.'),
): void {
  sqlite.transaction(
    () => {
      const done = schemaVersion(sqlite)
      if (done > migrations.length) throw newer()
      for (const migration of migrations.slice(done)) sqlite.exec(migration)
      if (done < migrations.length) sqlite.exec(`pragma user_version = ${migrations.length}`)
    },
    { durable: true },
  )
}
