import { eq, sql } from 'drizzle-orm'
import type { SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core'
import { given, type Queries } from './drizzle.ts'
import { keys } from './schema.ts'
import type { Sqlite } from './sqlite.ts'

/** Key pairs without their secrets. What is written survives a power cut: nobody can ask for a lost key again. */
export interface KeyTable {
  find(id: string): KeyRow | undefined
  /** Changes whenever the key does. Undefined: there is no such key. */
  revision(id: string): number | undefined
  insert(row: NewKey): KeyRow
  /** Returns the changed row. Undefined: there is no such key. */
  update(id: string, change: KeyChange): KeyRow | undefined
  /** The next version signs from now on; the present one is accepted until then. */
  rotate(id: string, previousUntilMs: number): KeyRow | undefined
  /** How many were ever inserted, found without counting: rows are never deleted. */
  issued(): number
}

export type KeyRow = Readonly<typeof keys.$inferSelect>
type NewKey = Readonly<typeof keys.$inferInsert>
type KeyChange = Readonly<Partial<Omit<KeyRow, 'id' | 'createdAtMs' | 'revision' | 'version'>>>

export function createKeyTable(sqlite: Sqlite, queries: Queries): KeyTable {
  // These two are on the path of signed calls.
  const revision = sqlite.prepare<{ revision: number }>('select revision from keys where id = ?')
  const issued = sqlite.prepare<{ last: number | null }>('select max(rowid) as last from keys')
  const find = queries
    .select()
    .from(keys)
    .where(eq(keys.id, given('id')))
    .prepare()

  function update(id: string, change: SQLiteUpdateSetSource<typeof keys>): KeyRow | undefined {
    const changed = { ...change, revision: sql`${keys.revision} + 1` }
    const query = queries.update(keys).set(changed).where(eq(keys.id, id)).returning()
    return sqlite.transaction(() => query.get(), { durable: true })
  }

  function insert(row: NewKey): KeyRow {
    const query = queries.insert(keys).values(row).returning()
    return sqlite.transaction(() => query.get(), { durable: true })
  }

  return {
    find: (id) => find.get({ id }),
    revision: (id) => revision.get(id)?.revision,
    insert,
    update: (id, change) => update(id, change),
    rotate: (id, previousUntilMs) => update(id, { version: sql`${keys.version} + 1`, previousUntilMs }),
    issued: () => issued.get()?.last ?? 0,
  }
}
