import type { Sqlite } from './sqlite.ts'

export interface SessionRow {
  /** SHA-256 of the token, hex. */
  readonly id: string
  readonly createdAtMs: number
  readonly lastSeenAtMs: number
  readonly confirmedAtMs: number
  readonly address: string
  readonly userAgent: string
}

/** Who is logged in to the admin. */
export interface SessionTable {
  add(row: SessionRow): void
  find(id: string): SessionRow | undefined
  /** Newest use first. */
  all(): readonly SessionRow[]
  touch(id: string, lastSeenAtMs: number): void
  confirm(id: string, confirmedAtMs: number): void
  /** Returns whether there was one. */
  remove(id: string): boolean
  /** Removes what was not seen since the one time or is older than the other. */
  prune(notSeenSinceMs: number, createdBeforeMs: number): void
}

const columns =
  'id, created_at_ms as createdAtMs, last_seen_at_ms as lastSeenAtMs, confirmed_at_ms as confirmedAtMs, address, user_agent as userAgent'

export function createSessionTable(sqlite: Sqlite): SessionTable {
  const add = sqlite.prepare(
    'insert into sessions (id, created_at_ms, last_seen_at_ms, confirmed_at_ms, address, user_agent) values (?, ?, ?, ?, ?, ?)',
  )
  const find = sqlite.prepare<SessionRow>(`select ${columns} from sessions where id = ?`)
  const all = sqlite.prepare<SessionRow>(`select ${columns} from sessions order by last_seen_at_ms desc`)
  const touch = sqlite.prepare('update sessions set last_seen_at_ms = ? where id = ?')
  const confirm = sqlite.prepare('update sessions set confirmed_at_ms = ? where id = ?')
  const remove = sqlite.prepare('delete from sessions where id = ?')
  const prune = sqlite.prepare('delete from sessions where last_seen_at_ms < ? or created_at_ms < ?')
  return {
    add: (row) =>
      void add.run(row.id, row.createdAtMs, row.lastSeenAtMs, row.confirmedAtMs, row.address, row.userAgent),
    find: (id) => find.get(id),
    all: () => all.all(),
    touch: (id, lastSeenAtMs) => void touch.run(lastSeenAtMs, id),
    confirm: (id, confirmedAtMs) => void confirm.run(confirmedAtMs, id),
    remove: (id) => Number(remove.run(id).changes) > 0,
    prune: (notSeenSinceMs, createdBeforeMs) => void prune.run(notSeenSinceMs, createdBeforeMs),
  }
}
