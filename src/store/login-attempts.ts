import type { Sqlite } from './sqlite.ts'
import { statementsOf } from './statements.ts'

/** Recent attempts at the operator's password, of all processes, that were wrong or are being checked. */
export interface LoginAttemptTable {
  /** Returns the id of the new row. */
  add(address: string, atMs: number): number
  remove(id: number): void
  /** When the newest `limit` attempts were made, oldest first; of one address, or of everybody. */
  newest(address: string | undefined, limit: number): readonly number[]
  /** Removes attempts from before `fromMs`, and from after `toMs`, which a clock that was set back leaves behind. */
  keepBetween(fromMs: number, toMs: number): void
}

export function createLoginAttemptTable(sqlite: Sqlite): LoginAttemptTable {
  const { all, number, run } = statementsOf(sqlite)
  const times = 'select at_ms as "atMs" from login_attempts'
  const ofAddress = all<[string, number], { atMs: number }>(
    `${times} where address = ? order by at_ms desc limit ?`,
  )
  const ofAll = all<[number], { atMs: number }>(`${times} order by at_ms desc limit ?`)
  return {
    add: number('insert into login_attempts (address, at_ms) values (?, ?) returning id as number'),
    remove: run('delete from login_attempts where id = ?'),
    newest(address, limit) {
      const rows = address === undefined ? ofAll(limit) : ofAddress(address, limit)
      return rows.map(({ atMs }) => atMs).reverse()
    },
    keepBetween: run('delete from login_attempts where at_ms not between ? and ?'),
  }
}
