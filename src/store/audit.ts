import { type Columns, columnsOf, selectList } from './columns.ts'
import type { Database } from './database.ts'
import type { Operation } from './operation.ts'
import { statementsOf } from './statements.ts'

export interface AuditEntry {
  readonly id: number
  readonly atMs: number
  /** The first digits of the session's id, or `terminal`. */
  readonly actor: string
  readonly address: string
  /** For example `key.revoke`. */
  readonly action: string
  /** What it was done to, for example a key's id; empty if it concerns the whole service. */
  readonly subject: string
  /** One line for people, without secrets. */
  readonly detail: string
}

/** What the operator did. The database itself refuses to change or remove a row. */
export interface AuditTable {
  add(entry: Omit<AuditEntry, 'id'>): Operation<void>
  /** At most `limit` entries with an id below `beforeId`, newest first. */
  page(beforeId: number, limit: number): Operation<readonly AuditEntry[]>
  /** The newest entries about one subject. */
  about(subject: string, limit: number): Operation<readonly AuditEntry[]>
}

const columns = columnsOf('atMs actor address action subject detail')

export const auditColumns: Columns<AuditEntry> = { id: 'id', ...columns }

export function createAuditTable(database: Database): AuditTable {
  const { all, insert } = statementsOf(database)
  const select = `select ${selectList(auditColumns)} from audit_entries`
  return {
    add: insert('audit_entries', columns),
    page: all(`${select} where id < ? order by id desc limit ?`),
    about: all(`${select} where subject = ? order by id desc limit ?`),
  }
}
