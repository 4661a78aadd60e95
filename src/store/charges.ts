import { and, asc, eq, getTableColumns, inArray, isNotNull, lt, ne, sql } from 'drizzle-orm'
import { given, literal, preparedRow, type Queries } from './drizzle.ts'
import { charges } from './schema.ts'

export type ChargeRow = Readonly<typeof charges.$inferSelect>
export type ChargeSummary = Omit<ChargeRow, 'responseHead' | 'responseBody'>
export type NewCharge = Readonly<typeof charges.$inferInsert>

/** What payments bought. */
export interface ChargeTable {
  /** Fails when the slot is used: see the unique index. */
  insert(charge: NewCharge): void
  byId(id: string): ChargeRow | undefined
  /** The charge that uses the slot now. */
  bySlot(slot: string): ChargeRow | undefined
  /** Without the stored answers, which may be large. */
  byPayment(paymentId: string): readonly ChargeSummary[]
  /** Whether the payment bought something, or is about to. */
  hasAny(paymentId: string): boolean
  /** Keeps the answer. False when the reservation is no longer there. */
  finish(id: string, answer: StoredAnswer, nowMs: number): boolean
  /** False when it is not reserved any more. */
  release(id: string): boolean
  /** Reservations, those that run out first at the front. */
  reserved(): readonly ChargeRow[]
  /** Forgets at most `limit` answers from before `timeMs`, and returns how many. */
  forgetAnswers(beforeMs: number, limit: number): number
}

export interface StoredAnswer {
  readonly head: string
  readonly body: Uint8Array
}

const { responseHead: _, responseBody: __, ...columns } = getTableColumns(charges)

export function createChargeTable(queries: Queries): ChargeTable {
  const prepared = prepareQueries(queries)
  const { row, insert, finish, release, forgetAnswers } = prepared
  return {
    insert: (charge) => void insert.run(row.complete(charge)),
    byId: (id) => prepared.byId.get({ id }),
    bySlot: (slot) => prepared.bySlot.get({ slot }),
    byPayment: (paymentId) => prepared.byPayment.all({ paymentId }),
    hasAny: (paymentId) => prepared.any.get({ paymentId }) !== undefined,
    finish(id, { head, body }, doneAtMs) {
      const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
      return finish.all({ id, doneAtMs, head, bytes }).length === 1
    },
    release: (id) => release.all({ id }).length === 1,
    reserved: () => prepared.reserved.all(),
    forgetAnswers: (beforeMs, limit) => forgetAnswers.all({ beforeMs, limit }).length,
  }
}

/** A payer waits for these: to build a query takes drizzle longer than SQLite takes to run it. */
function prepareQueries(queries: Queries) {
  function select() {
    return queries.select().from(charges)
  }
  const id = { id: charges.id }
  const row = preparedRow(charges)
  const isIt = eq(charges.id, given('id'))
  const isReserved = eq(charges.state, literal('reserved'))
  const isOfPayment = eq(charges.paymentId, given('paymentId'))
  const isStanding = ne(charges.state, literal('released'))
  const answered = queries
    .select(id)
    .from(charges)
    .where(and(lt(charges.doneAtMs, given('beforeMs')), isNotNull(charges.responseHead)))
    .limit(given('limit'))
  return {
    row,
    insert: queries.insert(charges).values(row.values).prepare(),
    byId: select().where(isIt).prepare(),
    bySlot: select()
      .where(and(eq(charges.slot, given('slot')), isStanding))
      .prepare(),
    byPayment: queries
      .select(columns)
      .from(charges)
      .where(isOfPayment)
      .orderBy(asc(charges.createdAtMs))
      .prepare(),
    any: queries.select(id).from(charges).where(and(isOfPayment, isStanding)).limit(1).prepare(),
    finish: queries
      .update(charges)
      .set({
        state: 'done',
        doneAtMs: sql`${given('doneAtMs')}`,
        responseHead: sql`${given('head')}`,
        responseBody: sql`${given('bytes')}`,
      })
      .where(and(isIt, isReserved))
      .returning(id)
      .prepare(),
    release: queries
      .update(charges)
      .set({ state: 'released' })
      .where(and(isIt, isReserved))
      .returning(id)
      .prepare(),
    reserved: select().where(isReserved).orderBy(asc(charges.leaseUntilMs)).prepare(),
    forgetAnswers: queries
      .update(charges)
      .set({ responseHead: null, responseBody: null })
      .where(inArray(charges.id, answered))
      .returning(id)
      .prepare(),
  }
}
