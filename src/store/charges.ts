import { and, asc, eq, getTableColumns, gt, lt, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { anyNumber, queriesOf } from './query.ts'
import { charges } from './schema.ts'

export type ChargeRow = Readonly<typeof charges.$inferSelect>

export type ChargeSummary = Omit<ChargeRow, 'responseHead' | 'responseBody'>

export interface StoredAnswer {
  readonly head: string
  readonly body: Uint8Array
}

const columns = getTableColumns(charges)
const { responseHead, responseBody, ...summaryColumns } = columns
const { id, paymentId, slot, state, doneAtMs } = columns
// States are written into the statements: a bound one would hide the partial indexes from SQLite.
const isReserved = sql`${state} = 'reserved'`

export function createChargeTable(database: Database) {
  const { one, all, exists, run, change, insert } = queriesOf(database)
  const isNotReleased = sql`${state} <> 'released'`
  const byId = one({ id }, (of, { select }) => select(columns).from(charges).where(eq(id, of.id)))
  const bySlot = one({ slot }, (of, { select }) =>
    select(columns)
      .from(charges)
      .where(and(eq(slot, of.slot), isNotReleased)),
  )
  const byPayment = all({ paymentId }, (of, { select }) =>
    select(summaryColumns).from(charges).where(eq(paymentId, of.paymentId)).orderBy(asc(charges.createdAtMs)),
  )
  const hasAny = exists({ paymentId }, (of, { select }) =>
    select({ id })
      .from(charges)
      .where(and(eq(paymentId, of.paymentId), isNotReleased))
      .limit(1),
  )
  const reserved = all({}, (_, { select }) =>
    select(columns).from(charges).where(isReserved).orderBy(asc(charges.leaseUntilMs)),
  )
  const forgetAnswers = run({ beforeMs: doneAtMs, limit: anyNumber }, (of, { select, update }) => {
    const old = select({ id })
      .from(charges)
      .where(and(lt(doneAtMs, of.beforeMs), sql`${responseHead} is not null`))
      .limit(of.limit)
    return update(charges)
      .set({ responseHead: sql`null`, responseBody: sql`null` })
      .where(sql`${id} in ${old}`)
  })
  const finish = change({ id, doneAtMs, responseHead, responseBody }, (of, { update }) =>
    update(charges)
      .set({
        state: sql`'done'`,
        doneAtMs: of.doneAtMs,
        responseHead: of.responseHead,
        responseBody: of.responseBody,
      })
      .where(and(eq(id, of.id), isReserved)),
  )
  const hear = change({ id, doneAtMs }, (of, { update }) =>
    update(charges)
      .set({ doneAtMs: of.doneAtMs })
      .where(and(eq(id, of.id), gt(doneAtMs, of.doneAtMs))),
  )
  const release = change({ id }, (of, { update }) =>
    update(charges)
      .set({ state: sql`'released'` })
      .where(and(eq(id, of.id), isReserved)),
  )
  const regain = change({ id }, (of, { update }) =>
    update(charges)
      .set({ state: sql`'reserved'` })
      .where(and(eq(id, of.id), sql`${state} = 'released'`)),
  )
  return {
    /** Throws if another charge uses the slot. */
    insert: insert(charges),
    byId: (id: string) => byId({ id }),
    /** The charge that uses the slot now. */
    bySlot: (slot: string) => bySlot({ slot }),
    /** Without the stored answers, which may be large. Oldest first. */
    byPayment: (paymentId: string) => byPayment({ paymentId }),
    /** Whether the payment bought something, or is about to. */
    hasAny: (paymentId: string) => hasAny({ paymentId }),
    /** Stores the answer. Returns false if the charge is no longer reserved. */
    finish: (id: string, { head, body }: StoredAnswer, doneAtMs: number) =>
      finish({ id, doneAtMs, responseHead: head, responseBody: body }),
    /** Makes an answer one of now that was stored as one of later. */
    hear: (id: string, nowMs: number) => hear({ id, doneAtMs: nowMs }),
    /** Returns false if the charge is no longer reserved. */
    release: (id: string) => release({ id }),
    /** Reserves it again. Returns false if it is not released. Throws if another charge uses the slot. */
    regain: (id: string) => regain({ id }),
    /** Reservations, in the order in which their leases end. */
    reserved: () => reserved({}),
    /** Removes at most `limit` stored answers from before `beforeMs`, and returns how many. */
    forgetAnswers: (beforeMs: number, limit: number) => forgetAnswers({ beforeMs, limit }),
  }
}
