import { desc, eq, getTableColumns, lt, or } from 'drizzle-orm'
import type { Database } from './database.ts'
import { queriesOf } from './query.ts'
import { sessions } from './schema.ts'

export type SessionRow = Readonly<typeof sessions.$inferSelect>

export type SessionTable = ReturnType<typeof createSessionTable>

/** Who is logged in to the admin. The cookie's token is not stored, only its hash. */
export function createSessionTable(database: Database) {
  const { rowBy, all, write, change, insert } = queriesOf(database)
  const columns = getTableColumns(sessions)
  const { id, createdAtMs, lastSeenAtMs, confirmedAtMs } = columns
  const newestFirst = all({}, (_, { select }) => select(columns).from(sessions).orderBy(desc(lastSeenAtMs)))
  const touch = write({ id, lastSeenAtMs }, (of, { update }) =>
    update(sessions).set({ lastSeenAtMs: of.lastSeenAtMs }).where(eq(id, of.id)),
  )
  const confirm = write({ id, confirmedAtMs }, (of, { update }) =>
    update(sessions).set({ confirmedAtMs: of.confirmedAtMs }).where(eq(id, of.id)),
  )
  const drop = change({ id }, (of, { remove }) => remove(sessions).where(eq(id, of.id)))
  const prune = write({ notSeenSinceMs: lastSeenAtMs, createdBeforeMs: createdAtMs }, (of, { remove }) =>
    remove(sessions).where(or(lt(lastSeenAtMs, of.notSeenSinceMs), lt(createdAtMs, of.createdBeforeMs))),
  )
  return {
    add: insert(sessions),
    find: rowBy(sessions, id),
    /** Newest use first. */
    all: () => newestFirst({}),
    touch: (id: string, lastSeenAtMs: number) => touch({ id, lastSeenAtMs }),
    confirm: (id: string, confirmedAtMs: number) => confirm({ id, confirmedAtMs }),
    /** Returns whether there was such a session. */
    remove: (id: string) => drop({ id }),
    /** Removes sessions that were not seen since the one time or were created before the other. */
    prune: (notSeenSinceMs: number, createdBeforeMs: number) => prune({ notSeenSinceMs, createdBeforeMs }),
  }
}
