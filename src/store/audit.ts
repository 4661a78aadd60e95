import { desc, eq, getTableColumns, lt } from 'drizzle-orm'
import type { Database } from './database.ts'
import { anyNumber, queriesOf } from './query.ts'
import { auditEntries } from './schema.ts'

export type AuditEntry = Readonly<typeof auditEntries.$inferSelect>

/** The log of the operator's actions. The database itself refuses to change or remove a row. */
export function createAuditTable(database: Database) {
  const { all, insert } = queriesOf(database)
  const columns = getTableColumns(auditEntries)
  const { id, subject } = columns
  const page = all({ beforeId: id, limit: anyNumber }, (of, { select }) =>
    select(columns).from(auditEntries).where(lt(id, of.beforeId)).orderBy(desc(id)).limit(of.limit),
  )
  const about = all({ subject, limit: anyNumber }, (of, { select }) =>
    select(columns).from(auditEntries).where(eq(subject, of.subject)).orderBy(desc(id)).limit(of.limit),
  )
  return {
    add: insert(auditEntries),
    /** At most `limit` entries with an id below `beforeId`, newest first. */
    page: (beforeId: number, limit: number) => page({ beforeId, limit }),
    /** The newest entries about one subject. */
    about: (subject: string, limit: number) => about({ subject, limit }),
  }
}
