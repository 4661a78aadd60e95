import { and, between, desc, eq, getTableColumns, gt, lt, ne, sql } from 'drizzle-orm'
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
  const finish = change({ id, doneAtMs, responseHead, responseBody }, ({ id: of, ...answer }, { update }) =>
    update(charges)
      .set({ state: sql`'done'`, ...answer })
      .where(and(eq(id, of), isReserved)),
  )

  return {
    /** Throws if another charge uses the slot. */
    insert: insert(charges),
    byId: rowBy(charges, id),
    bySlot: one([slot], ([of], { select }) =>
      select(columns)
        .from(charges)
        .where(and(eq(slot, of), isNotReleased)),
    ),
    /** Without the stored answers, which may be large. Oldest first. */
    byPayment: all([paymentId], ([of], { select }) =>
      select(summaryColumns).from(charges).where(eq(paymentId, of)).orderBy(charges.createdAtMs),
    ),
    /** True if the payment bought something, or is about to. */
    hasAny: exists([paymentId], ([of], { select }) =>
      select({ id })
        .from(charges)
        .where(and(eq(paymentId, of), isNotReleased))
        .limit(1),
    ),
    finish: (id: string, { head, body }: { head: string; body: Uint8Array }, doneAtMs: number) =>
      finish({ id, doneAtMs, responseHead: head, responseBody: body }),
    /** Makes an answer one of now that was stored as one of later. */
    hear: change([id, doneAtMs], ([of, nowMs], { update }) =>
      update(charges)
        .set({ doneAtMs: nowMs })
        .where(and(eq(id, of), gt(doneAtMs, nowMs))),
    ),
    release: change([id], ([of], { update }) =>
      update(charges)
        .set({ state: sql`'released'` })
        .where(and(eq(id, of), isReserved)),
    ),
    /** Reserves it again. Returns false if it is not released. Throws if another charge uses the slot. */
    regain: change([id], ([of], { update }) =>
      update(charges)
        .set({ state: sql`'reserved'` })
        .where(and(eq(id, of), sql`${state} = 'released'`)),
    ),
    reserved: all([], (_, { select }) =>
      select(columns).from(charges).where(isReserved).orderBy(charges.leaseUntilMs),
    ),
    forgetAnswers: run([doneAtMs, anyNumber], ([beforeMs, limit], { select, update }) => {
      const old = select({ id })
        .from(charges)
        .where(and(lt(doneAtMs, beforeMs), sql`${responseHead} is not null`))
        .limit(limit)
      return update(charges)
        .set({ responseHead: sql`null`, responseBody: sql`null` })
        .where(sql`${id} in ${old}`)
    }),
  }
}

/** The payer is `nobody` where a failure is no payer's fault. */
type SettlementRecord = Omit<typeof settlements.$inferInsert, 'isSettled'> & { readonly isSettled: boolean }

export type SettlementDay = Readonly<typeof settlementDays.$inferSelect>

export type SettlementCosts = Omit<SettlementDay, 'day'>

export const nobody = ''

export function createSettlementTable(database: Database) {
  const { paymentId, payer, isSettled, createdAtMs } = settlements
  const { day } = settlementDays
  const { one, all, countUpTo, insertUnlessKnown, addCounts } = queriesOf(database)
  const insert = insertUnlessKnown(settlements)
  const addToDay = addCounts(settlementDays, [day], 'count', 'failed', 'gasUsed', 'feeGwei')
  const ofPayment = one([paymentId], ([of], { select }) =>
    select({
      count: sql<number>`count(*)`,
      failed: sql<number>`coalesce(sum(1 - ${isSettled}), 0)`,
      gasUsed: sql<number>`coalesce(sum(${settlements.gasUsed}), 0)`,
      feeGwei: sql<number>`coalesce(sum(${settlements.feeGwei}), 0)`,
    })
      .from(settlements)
      .where(eq(paymentId, of)),
  )
  // Outcomes are written into the statements: a bound one would hide the partial indexes from SQLite.
  const isFailed = sql`${isSettled} = 0`
  const failuresOf = all([payer, createdAtMs, anyNumber], ([of, sinceMs, limit], { select }) =>
    select({ atMs: createdAtMs })
      .from(settlements)
      .where(and(eq(payer, of), isFailed, gt(createdAtMs, sinceMs)))
      .orderBy(desc(createdAtMs))
      .limit(limit),
  )

  return {
    /** Adds a mined settlement and counts it into its day; only once, however often its receipt is read. Belongs into a transaction. */
    *add(settlement: SettlementRecord): Steps<void> {
      const { createdAtMs, gasUsed, feeGwei } = settlement
      const isSettled = settlement.isSettled ? 1 : 0
      if (yield* insert({ ...settlement, isSettled }))
        yield* addToDay({ day: utcDay(createdAtMs), count: 1, failed: 1 - isSettled, gasUsed, feeGwei })
    },
    failuresOf: (payer: string, sinceMs: number, limit: number) =>
      failuresOf(payer, sinceMs, limit).as((rows) => rows.map(({ atMs }) => atMs)),
    /** Settlements that failed by the fault of any payer. */
    failures: countUpTo([createdAtMs], ([sinceMs], { select }) =>
      select({ createdAtMs })
        .from(settlements)
        .where(and(isFailed, gt(createdAtMs, sinceMs), ne(payer, sql.raw(`'${nobody}'`)))),
    ),
    settledOf: countUpTo([payer, createdAtMs], ([of, sinceMs], { select }) =>
      select({ createdAtMs })
        .from(settlements)
        .where(and(eq(payer, of), sql`${isSettled} = 1`, gt(createdAtMs, sinceMs))),
    ),
    openOf: countUpTo([payments.chainId, payments.payer], (of, { select, indexed }) =>
      select({ id: payments.id })
        .from(indexed(payments, 'payments_open'))
        .where(
          and(
            hasState('reserved', 'submitted'),
            hasState('submitted'),
            matches([payments.chainId, payments.payer], of),
          ),
        ),
    ),
    ofPayment: (paymentId: string) =>
      ofPayment(paymentId).as((costs) => costs ?? { count: 0, failed: 0, gasUsed: 0, feeGwei: 0 }),
    days: all([day, day], ([firstDay, lastDay], { select }) =>
      select(getTableColumns(settlementDays))
        .from(settlementDays)
        .where(between(day, firstDay, lastDay))
        .orderBy(day),
    ),
  }
}
