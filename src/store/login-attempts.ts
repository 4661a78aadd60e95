import type { Database } from './database.ts'
import type { Operation } from './operation.ts'
import { statementsOf } from './statements.ts'

/** Recent attempts at the operator's password, of all processes, that were wrong or are being checked. */
export interface LoginAttemptTable {
  /** Returns the id of the new row. */
  add(address: string, atMs: number): Operation<number>
  remove(id: number): Operation<void>
  /** When the newest `limit` attempts were made, oldest first; of one address, or of everybody. */
  newest(address: string | undefined, limit: number): Operation<readonly number[]>
  /** Removes attempts from before `fromMs`, and from after `toMs`, which a clock that was set back leaves behind. */
  keepBetween(fromMs: number, toMs: number): Operation<void>
}

export function createLoginAttemptTable(database: Database): LoginAttemptTable {
  const { all, number, write } = statementsOf(database)
  const times = 'select at_ms as "atMs" from login_attempts'
  const ofAddress = all<[string, number], { atMs: number }>(
    `${times} where address = ? order by at_ms desc limit ?`,
  )
  const ofAll = all<[number], { atMs: number }>(`${times} order by at_ms desc limit ?`)
  return {
    add: number('insert into login_attempts (address, at_ms) values (?, ?) returning id as number'),
    remove: write('delete from login_attempts where id = ?'),
    newest(address, limit) {
      const found = address === undefined ? ofAll(limit) : ofAddress(address, limit)
      return found.as((rows) => rows.map(({ atMs }) => atMs).reverse())
    },
    keepBetween: write('delete from login_attempts where at_ms not between ? and ?'),
  }
}
