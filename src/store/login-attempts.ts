import type { Sqlite } from './sqlite.ts'

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
  const add = sqlite.prepare<{ id: number }>(
    'insert into login_attempts (address, at_ms) values (?, ?) returning id',
  )
  const remove = sqlite.prepare('delete from login_attempts where id = ?')
  const ofAddress = sqlite.prepare<{ atMs: number }>(
    'select at_ms as "atMs" from login_attempts where address = ? order by at_ms desc limit ?',
  )
  const ofAll = sqlite.prepare<{ atMs: number }>(
    'select at_ms as "atMs" from login_attempts order by at_ms desc limit ?',
  )
  const keep = sqlite.prepare('delete from login_attempts where at_ms not between ? and ?')
  return {
    add(address, atMs) {
      const id = add.get(address, atMs)?.id
      if (id === undefined) throw new Error('The login attempt was not stored.')
      return id
    },
    remove: (id) => void remove.run(id),
    newest(address, limit) {
      const rows = address === undefined ? ofAll.all(limit) : ofAddress.all(address, limit)
      return rows.map(({ atMs }) => atMs).reverse()
    },
    keepBetween: (fromMs, toMs) => void keep.run(fromMs, toMs),
  }
}
