import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gte,
  isNull,
  lt,
  lte,
  notBetween,
  notInArray,
  or,
  sql,
} from 'drizzle-orm'
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
    about: (subject: string, limit: number) =>
      pages.ofSubject({ fromId: 0, beforeId: last, subject, action: '', limit }),
    actions: () => actions({}),
  }
}

export type AlertRow = Readonly<typeof alerts.$inferSelect>

export function createAlertTable(database: Database) {
  const { all, change, run, write } = queriesOf(database)
  const { name, body, keptUntilMs, attempts, dueAtMs } = alerts
  const note = write({ name, body, keptUntilMs, dueAtMs }, (values, { insert }) =>
    insert(alerts)
      .values(values)
      .onConflictDoUpdate({ target: name, set: { keptUntilMs: sql`excluded.kept_until_ms` } }),
  )
  const due = all({ nowMs: dueAtMs, limit: anyNumber }, (of, { select }) =>
    select(row(alerts))
      .from(alerts)
      .where(lte(dueAtMs, of.nowMs))
      .orderBy(asc(dueAtMs), asc(name))
      .limit(of.limit),
  )
  const claim = change({ name, attempts, nextDueMs: dueAtMs }, (of, { update }) =>
    update(alerts)
      .set({ attempts: sql`${attempts} + 1`, dueAtMs: of.nextDueMs })
      .where(and(eq(name, of.name), eq(attempts, of.attempts), sql`${dueAtMs} is not null`)),
  )
  const finish = write({ name }, (of, { update }) =>
    update(alerts).set({ dueAtMs: null }).where(eq(name, of.name)),
  )
  const forget = run({ keptUntilMs }, (of, { remove }) =>
    remove(alerts).where(and(lt(keptUntilMs, of.keptUntilMs), isNull(dueAtMs))),
  )
  return {
    /** Adds an event that is due now. An event that is there already is only kept for longer. */
    note: (event: Pick<AlertRow, 'name' | 'body' | 'keptUntilMs'> & { readonly nowMs: number }) =>
      note({ name: event.name, body: event.body, keptUntilMs: event.keptUntilMs, dueAtMs: event.nowMs }),
    due: (nowMs: number, limit: number) => due({ nowMs, limit }),
    /**
     * Takes an event for one attempt; true for one caller alone. It is due again at `nextDueMs`; null: this is the
     * last attempt.
     */
    claim: ({ name, attempts }: AlertRow, nextDueMs: number | null) => claim({ name, attempts, nextDueMs }),
    finish: (name: string) => finish({ name }),
    /** Removes events whose time is over, but for those that are still to be sent. */
    forget: (nowMs: number) => forget({ keptUntilMs: nowMs }),
  }
}

export type SessionRow = Readonly<typeof sessions.$inferSelect>

export type SessionTable = ReturnType<typeof createSessionTable>

/** Logins to the admin. The cookie's token is not stored, only its hash. */
export function createSessionTable(database: Database) {
  const { rowBy, all, write, change, insert } = queriesOf(database)
  const columns = getTableColumns(sessions)
  const { id, createdAtMs, lastSeenAtMs, confirmedAtMs } = columns
  const newestFirst = all({}, (_, { select }) => select(columns).from(sessions).orderBy(desc(lastSeenAtMs)))
  const touch = write({ id, lastSeenAtMs }, (of, { update }) =>
    update(sessions).set({ lastSeenAtMs: of.lastSeenAtMs }).where(eq(id, of.id)),
  )
  const confirm = write({ id, confirmedAtMs }, (of, { update }) =>
    update(sessions).set({ confirmedAtMs: of.confirmedAtMs }).where(eq(id, of.id)),
  )
  const drop = change({ id }, (of, { remove }) => remove(sessions).where(eq(id, of.id)))
  const prune = write({ notSeenSinceMs: lastSeenAtMs, createdBeforeMs: createdAtMs }, (of, { remove }) =>
    remove(sessions).where(or(lt(lastSeenAtMs, of.notSeenSinceMs), lt(createdAtMs, of.createdBeforeMs))),
  )
  return {
    add: insert(sessions),
    find: rowBy(sessions, id),
    all: () => newestFirst({}),
    touch: (id: string, lastSeenAtMs: number) => touch({ id, lastSeenAtMs }),
    confirm: (id: string, confirmedAtMs: number) => confirm({ id, confirmedAtMs }),
    remove: (id: string) => drop({ id }),
    prune: (notSeenSinceMs: number, createdBeforeMs: number) => prune({ notSeenSinceMs, createdBeforeMs }),
  }
}

/** Recent attempts at the operator's password, of all processes, that were wrong or are being checked. */
export function createLoginAttemptTable(database: Database) {
  const { all, number, write } = queriesOf(database)
  const { id, address, atMs } = loginAttempts
  const add = number({ address, atMs }, (values, { insert }) =>
    insert(loginAttempts)
      .values(values)
      .returning(fields({ number: id })),
  )
  const drop = write({ id }, (of, { remove }) => remove(loginAttempts).where(eq(id, of.id)))
  const fromAddress = all({ address, limit: anyNumber }, (of, { select }) =>
    select({ atMs }).from(loginAttempts).where(eq(address, of.address)).orderBy(desc(atMs)).limit(of.limit),
  )
  const fromAnywhere = all({ limit: anyNumber }, (of, { select }) =>
    select({ atMs }).from(loginAttempts).orderBy(desc(atMs)).limit(of.limit),
  )
  const keepBetween = write({ fromMs: atMs, toMs: atMs }, (of, { remove }) =>
    remove(loginAttempts).where(notBetween(atMs, of.fromMs, of.toMs)),
  )
  return {
    add: (address: string, atMs: number) => add({ address, atMs }),
    remove: (id: number) => drop({ id }),
    /** When the newest `limit` attempts were made, oldest first; from one address, or from all. */
    newest(address: string | undefined, limit: number) {
      const found = address === undefined ? fromAnywhere({ limit }) : fromAddress({ address, limit })
      return found.as((rows): readonly number[] => rows.map(({ atMs }) => atMs).reverse())
    },
    /** Removes attempts from before `fromMs`, and from after `toMs`, which a clock that was set back leaves behind. */
    keepBetween: (fromMs: number, toMs: number) => keepBetween({ fromMs, toMs }),
  }
}

type LoginOriginKind = (typeof loginOrigins.$inferSelect)['kind']

export function createLoginOriginTable(database: Database) {
  const { exists, write } = queriesOf(database)
  const { kind, name, atMs } = loginOrigins
  const has = exists({ kind, name }, (of, { select }) =>
    select({ name }).from(loginOrigins).where(matches({ kind, name }, of)),
  )
  const set = write({ kind, name, atMs }, (values, { insert }) =>
    insert(loginOrigins)
      .values(values)
      .onConflictDoUpdate({ target: [kind, name], set: { atMs: sql`excluded.at_ms` } }),
  )
  const keepNewest = write({ kind, max: anyNumber }, (of, { select, remove }) => {
    const newest = select({ name })
      .from(loginOrigins)
      .where(eq(kind, of.kind))
      .orderBy(desc(atMs))
      .limit(of.max)
    return remove(loginOrigins).where(and(eq(kind, of.kind), notInArray(name, newest)))
  })
  const prune = write({ notSinceMs: atMs }, (of, { remove }) =>
    remove(loginOrigins).where(lt(atMs, of.notSinceMs)),
  )
  return {
    has: (kind: LoginOriginKind, name: string) => has({ kind, name }),
    *add(kind: LoginOriginKind, name: string, atMs: number, max: number): Steps<void> {
      yield* set({ kind, name, atMs })
      yield* keepNewest({ kind, max })
    },
    prune: (notSinceMs: number) => prune({ notSinceMs }),
  }
}
