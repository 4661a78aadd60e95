import type { Sqlite } from './sqlite.ts'
import { statementsOf } from './statements.ts'

export type LoginOriginKind = 'address' | 'session'

/** Addresses and sessions that the operator logged in from. */
export interface LoginOriginTable {
  has(kind: LoginOriginKind, name: string): boolean
  /** Adds the origin, or renews its time. Keeps the newest `max` of its kind. */
  add(kind: LoginOriginKind, name: string, atMs: number, max: number): void
  /** Removes origins that were not used since. */
  prune(notSinceMs: number): void
}

export function createLoginOriginTable(sqlite: Sqlite): LoginOriginTable {
  const { exists, run } = statementsOf(sqlite)
  const set = run(
    'insert into login_origins (kind, name, at_ms) values (?, ?, ?) on conflict do update set at_ms = excluded.at_ms',
  )
  const keepNewest = run(
    'delete from login_origins where kind = ?1 and name not in (select name from login_origins where kind = ?1 order by at_ms desc limit ?2)',
  )
  return {
    has: exists('select 1 from login_origins where kind = ? and name = ?'),
    add(kind, name, atMs, max) {
      set(kind, name, atMs)
      keepNewest(kind, max)
    },
    prune: run('delete from login_origins where at_ms < ?'),
  }
}
