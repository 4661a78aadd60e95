import { and, desc, eq, getTableColumns, gte, lt, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { anyNumber, queriesOf } from './query.ts'
import { auditEntries } from './schema.ts'

export type AuditEntry = Readonly<typeof auditEntries.$inferSelect>

/** Entries that a page shows: of one action and about one subject, where those are named. */
export interface AuditFilter {
  readonly action?: string | undefined
  readonly subject?: string | undefined
  /** The first and the last moment, in ms. */
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
}

const columns = getTableColumns(auditEntries)
const { id, subject, action, atMs } = columns

/** The log of the operator's actions. The database itself refuses to change or remove a row. */
export function createAuditTable(database: Database) {
  const { all, one, insert } = queriesOf(database)
  const actions = all({}, (_, { raw }) =>
    raw(sql<{ action: string }>`with recursive found(action) as
      (select min(action) from audit_entries
       union all select (select min(action) from audit_entries where action > found.action)
       from found where found.action is not null)
      select action from found where action is not null`),
  )

  /** Entries of which these are given. Each page reads along the index that leaves the fewest rows. */
  function paging(...names: readonly ('subject' | 'action')[]) {
    return all({ fromId: id, beforeId: id, subject, action, limit: anyNumber }, (of, { select }) =>
      select(columns)
        .from(auditEntries)
        .where(
          and(...names.map((name) => eq(columns[name], of[name])), gte(id, of.fromId), lt(id, of.beforeId)),
        )
        .orderBy(desc(id))
        .limit(of.limit),
    )
  }
  const pages = {
    of: paging(),
    ofAction: paging('action'),
    ofSubject: paging('subject'),
    ofSubjectAction: paging('subject', 'action'),
  }
  // Entries are numbered as they come, so a time is the number of the first entry since then.
  const firstSince = one({ atMs }, (of, { select }) =>
    select({ id }).from(auditEntries).where(gte(atMs, of.atMs)).orderBy(atMs, id).limit(1),
  )
  const last = Number.MAX_SAFE_INTEGER

  async function idSince(ms: number): Promise<number> {
    return (await firstSince({ atMs: ms }))?.id ?? last
  }

  return {
    add: insert(auditEntries),
    /** At most `limit` entries with an id below `beforeId`, newest first. */
    async page(
      beforeId: number,
      limit: number,
      { action, subject, fromMs, toMs }: AuditFilter = {},
    ): Promise<readonly AuditEntry[]> {
      const fromId = fromMs === undefined ? 0 : await idSince(fromMs)
      const endId = toMs === undefined ? last : await idSince(toMs + 1)
      const page = pages[`of${subject === undefined ? '' : 'Subject'}${action === undefined ? '' : 'Action'}`]
      const values = { fromId, beforeId: Math.min(beforeId, endId), limit }
      return await page({ ...values, subject: subject ?? '', action: action ?? '' })
    },
    /** The newest entries about one subject. */
    about: (subject: string, limit: number) =>
      pages.ofSubject({ fromId: 0, beforeId: last, subject, action: '', limit }),
    /** Every action that has an entry, in order. */
    actions: () => actions({}),
  }
}
