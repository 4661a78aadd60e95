import type { Sqlite } from './sqlite.ts'

export interface AuditEntry {
  readonly id: number
  readonly atMs: number
  /** The first digits of the session's id, or `terminal`. */
  readonly actor: string
  readonly address: string
  readonly action: string
  readonly subject: string
  readonly detail: string
}

/** What the operator did. The database itself refuses to change or remove a row. */
export interface AuditTable {
  add(entry: Omit<AuditEntry, 'id'>): void
  /** At most `limit` entries with an id below `beforeId`, newest first. */
  page(beforeId: number, limit: number): readonly AuditEntry[]
  /** The newest entries about one thing. */
  about(subject: string, limit: number): readonly AuditEntry[]
}

const columns = 'id, at_ms as atMs, actor, address, action, subject, detail'

export function createAuditTable(sqlite: Sqlite): AuditTable {
  const add = sqlite.prepare(
    'insert into audit_entries (at_ms, actor, address, action, subject, detail) values (?, ?, ?, ?, ?, ?)',
  )
  const page = sqlite.prepare<AuditEntry>(
    `select ${columns} from audit_entries where id < ? order by id desc limit ?`,
  )
  const about = sqlite.prepare<AuditEntry>(
    `select ${columns} from audit_entries where subject = ? order by id desc limit ?`,
  )
  return {
    add: ({ atMs, actor, address, action, subject, detail }) =>
      void add.run(atMs, actor, address, action, subject, detail),
    page: (beforeId, limit) => page.all(beforeId, limit),
    about: (subject, limit) => about.all(subject, limit),
  }
}
