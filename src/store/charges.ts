import { and, asc, eq, getTableColumns, inArray, isNotNull, lt, ne, sql } from 'drizzle-orm'
import type { Queries } from './drizzle.ts'
import { charges } from './schema.ts'

export type ChargeRow = Readonly<typeof charges.$inferSelect>
export type ChargeFacts = Omit<ChargeRow, 'responseHead' | 'responseBody'>
export type NewCharge = Readonly<typeof charges.$inferInsert>

/** What payments bought. */
export interface ChargeTable {
  /** Fails when the slot is used: see the unique index. */
  insert(charge: NewCharge): void
  byId(id: string): ChargeRow | undefined
  /** The charge that uses the slot now. */
  bySlot(slot: string): ChargeRow | undefined
  /** Without the stored answers, which may be large. */
  byPayment(paymentId: string): readonly ChargeFacts[]
  /** Whether the payment bought something, or is about to. */
  hasAny(paymentId: string): boolean
  /** Keeps the answer. False when the reservation is no longer there. */
  finish(id: string, answer: StoredAnswer, nowMs: number): boolean
  /** False when it is not reserved any more. */
  release(id: string): boolean
  extend(id: string, leaseUntilMs: number): void
  /** Reservations, those that run out first at the front. */
  reserved(): readonly ChargeRow[]
  /** Forgets at most `limit` answers from before `timeMs`, and returns how many. */
  forgetAnswers(beforeMs: number, limit: number): number
}

export interface StoredAnswer {
  readonly head: string
  readonly body: Uint8Array
}

const { responseHead: _, responseBody: __, ...facts } = getTableColumns(charges)

export function createChargeTable(queries: Queries): ChargeTable {
  const select = () => queries.select().from(charges)
  const bySlot = select()
    .where(and(eq(charges.slot, sql.placeholder('slot')), ne(charges.state, 'released')))
    .prepare()
  return {
    insert: (charge) => void queries.insert(charges).values(charge).run(),
    byId: (id) => select().where(eq(charges.id, id)).get(),
    bySlot: (slot) => bySlot.get({ slot }),
    byPayment: (paymentId) =>
      queries
        .select(facts)
        .from(charges)
        .where(eq(charges.paymentId, paymentId))
        .orderBy(asc(charges.createdAtMs))
        .all(),
    hasAny: (paymentId) =>
      queries
        .select({ id: charges.id })
        .from(charges)
        .where(and(eq(charges.paymentId, paymentId), ne(charges.state, 'released')))
        .limit(1)
        .get() !== undefined,
    finish: (id, answer, nowMs) =>
      queries
        .update(charges)
        .set({
          state: 'done',
          doneAtMs: nowMs,
          responseHead: answer.head,
          responseBody: Buffer.from(answer.body.buffer, answer.body.byteOffset, answer.body.byteLength),
        })
        .where(and(eq(charges.id, id), eq(charges.state, 'reserved')))
        .returning({ id: charges.id })
        .all().length === 1,
    release: (id) =>
      queries
        .update(charges)
        .set({ state: 'released' })
        .where(and(eq(charges.id, id), eq(charges.state, 'reserved')))
        .returning({ id: charges.id })
        .all().length === 1,
    extend: (id, leaseUntilMs) =>
      void queries
        .update(charges)
        .set({ leaseUntilMs })
        .where(and(eq(charges.id, id), eq(charges.state, 'reserved')))
        .run(),
    reserved: () => select().where(eq(charges.state, 'reserved')).orderBy(asc(charges.leaseUntilMs)).all(),
    forgetAnswers: (beforeMs, limit) =>
      queries
        .update(charges)
        .set({ responseHead: null, responseBody: null })
        .where(
          inArray(
            charges.id,
            queries
              .select({ id: charges.id })
              .from(charges)
              .where(and(lt(charges.doneAtMs, beforeMs), isNotNull(charges.responseHead)))
              .limit(limit),
          ),
        )
        .returning({ id: charges.id })
        .all().length,
  }
}
