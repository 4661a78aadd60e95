import { and, count, desc, eq, or, type SQL, sql } from 'drizzle-orm'
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
  /** The newest first; `after` is the last row of the page before. */
  list(query: KeyQuery): readonly KeyRow[]
  count(): number
  /** How many were ever inserted, found without counting: rows are never deleted. */
  issued(): number
}

export type KeyRow = Readonly<typeof keys.$inferSelect>
type NewKey = Readonly<typeof keys.$inferInsert>
type KeyChange = Readonly<Partial<Omit<KeyRow, 'id' | 'createdAtMs' | 'revision' | 'version'>>>

export interface KeyQuery {
  /** A part of the id or of the name. */
  readonly search?: string
  readonly after?: Pick<KeyRow, 'createdAtMs' | 'id'>
  readonly limit: number
}

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
    list: ({ search = '', after, limit }) =>
      queries
        .select()
        .from(keys)
        .where(and(containing(search), before(after)))
        .orderBy(desc(keys.createdAtMs), desc(keys.id))
        .limit(limit)
        .all(),
    issued: () => issued.get()?.last ?? 0,
    count: () => queries.select({ all: count() }).from(keys).get()?.all ?? 0,
  }
}

function containing(search: string): SQL | undefined {
  if (search === '') return undefined
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return or(...[keys.id, keys.name].map((column) => sql`${column} like ${pattern} escape '\\'`))
}

function before(row: KeyQuery['after']): SQL | undefined {
  if (row === undefined) return undefined
  return sql`(${keys.createdAtMs}, ${keys.id}) < (${row.createdAtMs}, ${row.id})`
}
