import { type Columns, insertInto, rowValues, selectList } from './columns.ts'
import type { Sqlite } from './sqlite.ts'

export interface AuditEntry {
  readonly id: number
  readonly atMs: number
  /** The first digits of the session's id, or `terminal`. */
  readonly actor: string
  readonly address: string
  /** For example `key.revoke`. */
  readonly action: string
  /** What it was done to, for example a key's id; empty when it concerns the whole service. */
  readonly subject: string
  /** One line for people, without secrets. */
  readonly detail: string
}

/** What the operator did. The database itself refuses to change or remove a row. */
export interface AuditTable {
  add(entry: Omit<AuditEntry, 'id'>): void
  /** At most `limit` entries with an id below `beforeId`, newest first. */
  page(beforeId: number, limit: number): readonly AuditEntry[]
  /** The newest entries about one subject. */
  about(subject: string, limit: number): readonly AuditEntry[]
}

const columns = {
  atMs: 'at_ms',
  actor: 'actor',
  address: 'address',
  action: 'action',
  subject: 'subject',
  detail: 'detail',
}

export const auditColumns: Columns<AuditEntry> = { id: 'id', ...columns }

export function createAuditTable(sqlite: Sqlite): AuditTable {
  const add = sqlite.prepare(insertInto('audit_entries', columns))
  const page = sqlite.prepare<AuditEntry>(
    `select ${selectList(auditColumns)} from audit_entries where id < ? order by id desc limit ?`,
  )
  const about = sqlite.prepare<AuditEntry>(
    `select ${selectList(auditColumns)} from audit_entries where subject = ? order by id desc limit ?`,
  )
  return {
    add: (entry) => void add.run(...rowValues(columns, entry)),
    page: (beforeId, limit) => page.all(beforeId, limit),
    about: (subject, limit) => about.all(subject, limit),
  }
}
