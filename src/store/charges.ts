import { and, asc, between, desc, eq, getTableColumns, gt, lt, ne, sql } from 'drizzle-orm'
import { utcDay } from '../lib/clock.ts'
import type { Database, Steps } from './database.ts'
import { hasState } from './payment-states.ts'
import { anyNumber, matches, queriesOf } from './query.ts'
import { charges, payments, settlementDays, settlements } from './schema.ts'

export type ChargeRow = Readonly<typeof charges.$inferSelect>

export type ChargeSummary = Omit<ChargeRow, 'responseHead' | 'responseBody'>

const columns = getTableColumns(charges)
const { responseHead, responseBody, ...summaryColumns } = columns
const { id, paymentId, slot, state, doneAtMs } = columns
// States are written into the statements: a bound one would hide the partial indexes from SQLite.
const isReserved = sql`${state} = 'reserved'`

export function createChargeTable(database: Database) {
  const { one, all, exists, rowBy, run, change, insert } = queriesOf(database)
  const isNotReleased = sql`${state} <> 'released'`
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
    byId: rowBy(charges, id),
    bySlot: (slot: string) => bySlot({ slot }),
    /** Without the stored answers, which may be large. Oldest first. */
    byPayment: (paymentId: string) => byPayment({ paymentId }),
    /** True if the payment bought something, or is about to. */
    hasAny: (paymentId: string) => hasAny({ paymentId }),
    finish: (id: string, { head, body }: { head: string; body: Uint8Array }, doneAtMs: number) =>
      finish({ id, doneAtMs, responseHead: head, responseBody: body }),
    /** Makes an answer one of now that was stored as one of later. */
    hear: (id: string, nowMs: number) => hear({ id, doneAtMs: nowMs }),
    release: (id: string) => release({ id }),
    /** Reserves it again. Returns false if it is not released. Throws if another charge uses the slot. */
    regain: (id: string) => regain({ id }),
    reserved: () => reserved({}),
    forgetAnswers: (beforeMs: number, limit: number) => forgetAnswers({ beforeMs, limit }),
  }
}

/** The payer is `nobody` where a failure is no payer's fault. */
type SettlementRecord = Omit<typeof settlements.$inferInsert, 'isSettled'> & { readonly isSettled: boolean }

export type SettlementDay = Readonly<typeof settlementDays.$inferSelect>

export type SettlementCosts = Omit<SettlementDay, 'day'>

export const nobody = ''

export function createSettlementTable(database: Database) {
  const { paymentId, payer, isSettled, createdAtMs } = settlements
  const { day, count, failed, gasUsed, feeGwei } = settlementDays
  const { one, all, countUpTo, insertUnlessKnown, write } = queriesOf(database)
  const insert = insertUnlessKnown(settlements)
  const addToDay = write({ day, failed, gasUsed, feeGwei }, (values, builders) =>
    builders
      .insert(settlementDays)
      .values({ ...values, count: 1 })
      .onConflictDoUpdate({
        target: day,
        set: {
          count: sql`${count} + 1`,
          failed: sql`${failed} + excluded.failed`,
          gasUsed: sql`${gasUsed} + excluded.gas_used`,
          feeGwei: sql`${feeGwei} + excluded.fee_gwei`,
        },
      }),
  )
  const ofPayment = one({ paymentId }, (of, { select }) =>
    select({
      count: sql<number>`count(*)`,
      failed: sql<number>`coalesce(sum(1 - ${isSettled}), 0)`,
      gasUsed: sql<number>`coalesce(sum(${settlements.gasUsed}), 0)`,
      feeGwei: sql<number>`coalesce(sum(${settlements.feeGwei}), 0)`,
    })
      .from(settlements)
      .where(eq(paymentId, of.paymentId)),
  )
  const days = all({ firstDay: day, lastDay: day }, (of, { select }) =>
    select({ day, count, failed, gasUsed, feeGwei })
      .from(settlementDays)
      .where(between(day, of.firstDay, of.lastDay))
      .orderBy(day),
  )
  // Outcomes are written into the statements: a bound one would hide the partial indexes from SQLite.
  const isFailed = sql`${isSettled} = 0`
  const since = { payer, sinceMs: createdAtMs }
  const failuresOf = all({ ...since, limit: anyNumber }, (of, { select }) =>
    select({ atMs: createdAtMs })
      .from(settlements)
      .where(and(eq(payer, of.payer), isFailed, gt(createdAtMs, of.sinceMs)))
      .orderBy(desc(createdAtMs))
      .limit(of.limit),
  )
  const failures = countUpTo({ sinceMs: createdAtMs }, (of, { select }) =>
    select({ createdAtMs })
      .from(settlements)
      .where(and(isFailed, gt(createdAtMs, of.sinceMs), ne(payer, sql.raw(`'${nobody}'`)))),
  )
  const settledOf = countUpTo(since, (of, { select }) =>
    select({ createdAtMs })
      .from(settlements)
      .where(and(eq(payer, of.payer), sql`${isSettled} = 1`, gt(createdAtMs, of.sinceMs))),
  )
  const openOf = countUpTo({ chainId: payments.chainId, payer: payments.payer }, (of, { select, indexed }) =>
    select({ id: payments.id })
      .from(indexed(payments, 'payments_open'))
      .where(
        and(
          hasState('reserved', 'submitted'),
          hasState('submitted'),
          matches({ chainId: payments.chainId, payer: payments.payer }, of),
        ),
      ),
  )
  return {
    /** Adds a mined settlement and counts it into its day; only once, however often its receipt is read. Belongs into a transaction. */
    *add(settlement: SettlementRecord): Steps<void> {
      const { createdAtMs, gasUsed, feeGwei } = settlement
      const isSettled = settlement.isSettled ? 1 : 0
      if (yield* insert({ ...settlement, isSettled }))
        yield* addToDay({ day: utcDay(createdAtMs), failed: 1 - isSettled, gasUsed, feeGwei })
    },
    failuresOf: (payer: string, sinceMs: number, limit: number) =>
      failuresOf({ payer, sinceMs, limit }).as((rows) => rows.map(({ atMs }) => atMs)),
    /** Settlements that failed by the fault of any payer, counted up to `max`. */
    failures: (sinceMs: number, max: number) => failures({ sinceMs, max }),
    settledOf: (payer: string, sinceMs: number, max: number) => settledOf({ payer, sinceMs, max }),
    openOf: (chainId: number, payer: string, max: number) => openOf({ chainId, payer, max }),
    ofPayment: (paymentId: string) =>
      ofPayment({ paymentId }).as((costs) => costs ?? { count: 0, failed: 0, gasUsed: 0, feeGwei: 0 }),
    days: (firstDay: number, lastDay: number) => days({ firstDay, lastDay }),
  }
}
