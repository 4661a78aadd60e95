import { and, desc, eq, getTableColumns, gte, lt, type SQL, sql } from 'drizzle-orm'
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
  const { all, insert } = queriesOf(database)
  const about = all({ subject, limit: anyNumber }, (of, { select }) =>
    select(columns).from(auditEntries).where(eq(subject, of.subject)).orderBy(desc(id)).limit(of.limit),
  )
  const actions = all({}, (_, { raw }) =>
    raw(sql<{ action: string }>`with recursive found(action) as
      (select min(action) from audit_entries
       union all select (select min(action) from audit_entries where action > found.action)
       from found where found.action is not null)
      select action from found where action is not null`),
  )
  return {
    add: insert(auditEntries),
    ...createAuditPages(database),
    /** The newest entries about one subject. */
    about: (subject: string, limit: number) => about({ subject, limit }),
    /** Every action that has an entry, in order. */
    actions: () => actions({}),
  }
}

/** Pages of filtered entries. Each reads along the index that leaves the fewest rows. */
function createAuditPages(database: Database) {
  const { all, one } = queriesOf(database)
  const range = { fromId: id, beforeId: id, limit: anyNumber }
  function page(named: { readonly subject?: typeof subject; readonly action?: typeof action }) {
    return all({ ...range, ...named }, (of, { select }) => {
      const { subject: ofSubject, action: ofAction } = of as { subject?: SQL; action?: SQL }
      return select(columns)
        .from(auditEntries)
        .where(
          and(
            ofSubject && eq(subject, ofSubject),
            ofAction && eq(action, ofAction),
            gte(id, of.fromId),
            lt(id, of.beforeId),
          ),
        )
        .orderBy(desc(id))
        .limit(of.limit)
    })
  }
  const pages = {
    all: page({}),
    action: page({ action }),
    subject: page({ subject }),
    both: page({ subject, action }),
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
    /** At most `limit` entries with an id below `beforeId`, newest first. */
    async page(
      beforeId: number,
      limit: number,
      { action, subject, fromMs, toMs }: AuditFilter = {},
    ): Promise<readonly AuditEntry[]> {
      const fromId = fromMs === undefined ? 0 : await idSince(fromMs)
      const endId = toMs === undefined ? last : await idSince(toMs + 1)
      const values = { fromId, beforeId: Math.min(beforeId, endId), limit }
      if (subject !== undefined && action !== undefined)
        return await pages.both({ ...values, subject, action })
      if (subject !== undefined) return await pages.subject({ ...values, subject })
      if (action !== undefined) return await pages.action({ ...values, action })
      return await pages.all(values)
    },
  }
}
