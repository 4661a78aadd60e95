import { type Columns, insertInto, rowValues, selectList } from './columns.ts'
import type { Sqlite } from './sqlite.ts'

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
  add(row: SessionRow): void
  find(id: string): SessionRow | undefined
  /** Newest use first. */
  all(): readonly SessionRow[]
  touch(id: string, lastSeenAtMs: number): void
  confirm(id: string, confirmedAtMs: number): void
  /** Returns whether there was such a session. */
  remove(id: string): boolean
  /** Removes sessions that were not seen since the one time or were created before the other. */
  prune(notSeenSinceMs: number, createdBeforeMs: number): void
}

export const sessionColumns: Columns<SessionRow> = {
  id: 'id',
  createdAtMs: 'created_at_ms',
  lastSeenAtMs: 'last_seen_at_ms',
  confirmedAtMs: 'confirmed_at_ms',
  address: 'address',
  userAgent: 'user_agent',
}

export function createSessionTable(sqlite: Sqlite): SessionTable {
  const row = selectList(sessionColumns)
  const add = sqlite.prepare(insertInto('sessions', sessionColumns))
  const find = sqlite.prepare<SessionRow>(`select ${row} from sessions where id = ?`)
  const all = sqlite.prepare<SessionRow>(`select ${row} from sessions order by last_seen_at_ms desc`)
  const touch = sqlite.prepare('update sessions set last_seen_at_ms = ? where id = ?')
  const confirm = sqlite.prepare('update sessions set confirmed_at_ms = ? where id = ?')
  const remove = sqlite.prepare('delete from sessions where id = ?')
  const prune = sqlite.prepare('delete from sessions where last_seen_at_ms < ? or created_at_ms < ?')
  return {
    add: (session) => void add.run(...rowValues(sessionColumns, session)),
    find: (id) => find.get(id),
    all: () => all.all(),
    touch: (id, lastSeenAtMs) => void touch.run(lastSeenAtMs, id),
    confirm: (id, confirmedAtMs) => void confirm.run(confirmedAtMs, id),
    remove: (id) => Number(remove.run(id).changes) > 0,
    prune: (notSeenSinceMs, createdBeforeMs) => void prune.run(notSeenSinceMs, createdBeforeMs),
  }
}
