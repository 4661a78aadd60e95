import { and, desc, eq, getTableColumns, gte, isNull, lt, lte, notBetween, or, sql } from 'drizzle-orm'
import type { Database, Steps } from './database.ts'
import { anyNumber, fields, matches, queriesOf, row } from './query.ts'
import { alerts, auditEntries, loginAttempts, loginOrigins, sessions } from './schema.ts'

export type AuditEntry = Readonly<typeof auditEntries.$inferSelect>

export interface AuditFilter {
  readonly action?: string | undefined
  readonly subject?: string | undefined
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
}

const columns = getTableColumns(auditEntries)
const { id, subject, action, atMs } = columns

/** The log of the operator's actions. The database itself refuses to change or remove a row. */
export function createAuditTable(database: Database) {
  const { all, one, insert } = queriesOf(database)
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
  const firstSince = one([atMs], ([of], { select }) =>
    select({ id }).from(auditEntries).where(gte(atMs, of)).orderBy(atMs, id).limit(1),
  )
  const last = Number.MAX_SAFE_INTEGER

  async function idSince(ms: number): Promise<number> {
    return (await firstSince(ms))?.id ?? last
  }

  return {
    add: insert(auditEntries),
    async page(beforeId: number, limit: number, { action, subject, fromMs, toMs }: AuditFilter = {}) {
      const fromId = fromMs === undefined ? 0 : await idSince(fromMs)
      const endId = toMs === undefined ? last : await idSince(toMs + 1)
      const page = pages[`of${subject === undefined ? '' : 'Subject'}${action === undefined ? '' : 'Action'}`]
      const values = { fromId, beforeId: Math.min(beforeId, endId), limit }
      return await page({ ...values, subject: subject ?? '', action: action ?? '' })
    },
    about: (subject: string, limit: number) =>
      pages.ofSubject({ fromId: 0, beforeId: last, subject, action: '', limit }),
    actions: all([], (_, { raw }) =>
      raw(sql<{ action: string }>`with recursive found(action) as
      (select min(action) from audit_entries
      union all select (select min(action) from audit_entries where action > found.action)
      from found where found.action is not null)
      select action from found where action is not null`),
    ),
  }
}

export type AlertRow = Readonly<typeof alerts.$inferSelect>

export function createAlertTable(database: Database) {
  const { all, change, run, upsert, write } = queriesOf(database)
  const { name, keptUntilMs, attempts, dueAtMs } = alerts
  const note = upsert(alerts, [name], 'keptUntilMs')
  const claim = change([name, attempts, dueAtMs], ([of, made, nextDueMs], { update }) =>
    update(alerts)
      .set({ attempts: sql`${attempts} + 1`, dueAtMs: nextDueMs })
      .where(and(eq(name, of), eq(attempts, made), sql`${dueAtMs} is not null`)),
  )

  return {
    /** Adds an event that is due now. An event that is there already is only kept for longer. */
    note: ({
      nowMs,
      ...event
    }: Pick<AlertRow, 'name' | 'body' | 'keptUntilMs'> & { readonly nowMs: number }) =>
      note({ ...event, dueAtMs: nowMs }),
    due: all([dueAtMs, anyNumber], ([nowMs, limit], { select }) =>
      select(row(alerts)).from(alerts).where(lte(dueAtMs, nowMs)).orderBy(dueAtMs, name).limit(limit),
    ),
    /** Takes an event for one attempt; true for one caller alone. It is due again at `nextDueMs`; null: never. */
    claim: ({ name, attempts }: AlertRow, nextDueMs: number | null) => claim(name, attempts, nextDueMs),
    finish: write([name], ([of], { update }) => update(alerts).set({ dueAtMs: null }).where(eq(name, of))),
    /** Removes events whose time is over, but for those that are still to be sent. */
    forget: run([keptUntilMs], ([nowMs], { remove }) =>
      remove(alerts).where(and(lt(keptUntilMs, nowMs), isNull(dueAtMs))),
    ),
  }
}

export type SessionRow = Readonly<typeof sessions.$inferSelect>

export type SessionTable = ReturnType<typeof createSessionTable>

/** Logins to the admin. The cookie's token is not stored, only its hash. */
export function createSessionTable(database: Database) {
  const { rowBy, all, write, change, insert } = queriesOf(database)
  const columns = getTableColumns(sessions)
  const { id, createdAtMs, lastSeenAtMs, confirmedAtMs } = columns
  return {
    add: insert(sessions),
    find: rowBy(sessions, id),
    all: all([], (_, { select }) => select(columns).from(sessions).orderBy(desc(lastSeenAtMs))),
    touch: write([id, lastSeenAtMs], ([of, atMs], { update }) =>
      update(sessions).set({ lastSeenAtMs: atMs }).where(eq(id, of)),
    ),
    confirm: write([id, confirmedAtMs], ([of, atMs], { update }) =>
      update(sessions).set({ confirmedAtMs: atMs }).where(eq(id, of)),
    ),
    remove: change([id], ([of], { remove }) => remove(sessions).where(eq(id, of))),
    prune: write([lastSeenAtMs, createdAtMs], ([notSeenSinceMs, createdBeforeMs], { remove }) =>
      remove(sessions).where(or(lt(lastSeenAtMs, notSeenSinceMs), lt(createdAtMs, createdBeforeMs))),
    ),
  }
}

/** Recent attempts at the operator's password, of all processes, that were wrong or are being checked. */
export function createLoginAttemptTable(database: Database) {
  const { all, number, write } = queriesOf(database)
  const { id, address, atMs } = loginAttempts
  const fromAddress = all([address, anyNumber], ([of, limit], { select }) =>
    select({ atMs }).from(loginAttempts).where(eq(address, of)).orderBy(desc(atMs)).limit(limit),
  )
  const fromAnywhere = all([anyNumber], ([limit], { select }) =>
    select({ atMs }).from(loginAttempts).orderBy(desc(atMs)).limit(limit),
  )

  return {
    add: number([address, atMs], ([from, at], { insert }) =>
      insert(loginAttempts)
        .values({ address: from, atMs: at })
        .returning(fields({ number: id })),
    ),
    remove: write([id], ([of], { remove }) => remove(loginAttempts).where(eq(id, of))),
    /** When the newest `limit` attempts were made, oldest first; from one address, or from all. */
    newest(address: string | undefined, limit: number) {
      const found = address === undefined ? fromAnywhere(limit) : fromAddress(address, limit)
      return found.as((rows): readonly number[] => rows.map(({ atMs }) => atMs).reverse())
    },
    /** Removes attempts from before a time, and from after another, which a clock that was set back leaves behind. */
    keepBetween: write([atMs, atMs], ([fromMs, toMs], { remove }) =>
      remove(loginAttempts).where(notBetween(atMs, fromMs, toMs)),
    ),
  }
}

type LoginOriginKind = (typeof loginOrigins.$inferSelect)['kind']

export function createLoginOriginTable(database: Database) {
  const { exists, upsert, write } = queriesOf(database)
  const { kind, name, atMs } = loginOrigins
  const set = upsert(loginOrigins, [kind, name], 'atMs')
  const keepNewest = write([kind, anyNumber], ([of, max], { select, remove }) => {
    const newest = select({ name }).from(loginOrigins).where(eq(kind, of)).orderBy(desc(atMs)).limit(max)
    return remove(loginOrigins).where(and(eq(kind, of), sql`${name} not in ${newest}`))
  })

  return {
    has: exists([kind, name], (of, { select }) =>
      select({ name })
        .from(loginOrigins)
        .where(matches([kind, name], of)),
    ),
    *add(kind: LoginOriginKind, name: string, atMs: number, max: number): Steps<void> {
      yield* set({ kind, name, atMs })
      yield* keepNewest(kind, max)
    },
    prune: write([atMs], ([notSinceMs], { remove }) => remove(loginOrigins).where(lt(atMs, notSinceMs))),
  }
}
