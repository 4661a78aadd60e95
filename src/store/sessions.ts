import { type Columns, columnsOf, selectList } from './columns.ts'
import type { Database } from './database.ts'
import type { Operation } from './operation.ts'
import { statementsOf } from './statements.ts'

export interface SessionRow {
  /** SHA-256 of the token, hex. */
  readonly id: string
  readonly createdAtMs: number
  readonly lastSeenAtMs: number
  /** When the password was last given, which the most dangerous actions want to be fresh. */
  readonly confirmedAtMs: number
  readonly address: string
  readonly userAgent: string
}

/** Who is logged in to the admin. The cookie's token is not stored, only its hash. */
export interface SessionTable {
  add(row: SessionRow): Operation<void>
  find(id: string): Operation<SessionRow | undefined>
  /** Newest use first. */
  all(): Operation<readonly SessionRow[]>
  touch(id: string, lastSeenAtMs: number): Operation<void>
  confirm(id: string, confirmedAtMs: number): Operation<void>
  /** Returns whether there was such a session. */
  remove(id: string): Operation<boolean>
  /** Removes sessions that were not seen since the one time or were created before the other. */
  prune(notSeenSinceMs: number, createdBeforeMs: number): Operation<void>
}

export const sessionColumns: Columns<SessionRow> = columnsOf(
  'id createdAtMs lastSeenAtMs confirmedAtMs address userAgent',
)

export function createSessionTable(database: Database): SessionTable {
  const { one, all, write, change, insert } = statementsOf(database)
  const select = `select ${selectList(sessionColumns)} from sessions`
  return {
    add: insert('sessions', sessionColumns),
    find: one(`${select} where id = ?`),
    all: all(`${select} order by last_seen_at_ms desc`),
    touch: write('update sessions set last_seen_at_ms = ?2 where id = ?1'),
    confirm: write('update sessions set confirmed_at_ms = ?2 where id = ?1'),
    remove: change('delete from sessions where id = ?'),
    prune: write('delete from sessions where last_seen_at_ms < ? or created_at_ms < ?'),
  }
}
