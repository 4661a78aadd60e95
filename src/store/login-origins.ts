import type { Database } from './database.ts'
import type { Operation, Steps } from './operation.ts'
import { statementsOf } from './statements.ts'

export type LoginOriginKind = 'address' | 'session'

/** Addresses and sessions that the operator logged in from. */
export interface LoginOriginTable {
  has(kind: LoginOriginKind, name: string): Operation<boolean>
  /** Adds the origin, or renews its time. Keeps the newest `max` of its kind. */
  add(kind: LoginOriginKind, name: string, atMs: number, max: number): Steps<void>
  /** Removes origins that were not used since. */
  prune(notSinceMs: number): Operation<void>
}

export function createLoginOriginTable(database: Database): LoginOriginTable {
  const { exists, write } = statementsOf(database)
  const set = write(
    'insert into login_origins (kind, name, at_ms) values (?, ?, ?) on conflict (kind, name) do update set at_ms = excluded.at_ms',
  )
  const keepNewest = write(
    'delete from login_origins where kind = ?1 and name not in (select name from login_origins where kind = ?1 order by at_ms desc limit ?2)',
  )
  return {
    has: exists('select 1 from login_origins where kind = ? and name = ?'),
    *add(kind, name, atMs, max) {
      yield* set(kind, name, atMs)
      yield* keepNewest(kind, max)
    },
    prune: write('delete from login_origins where at_ms < ?'),
  }
}
