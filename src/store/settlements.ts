import { and, between, desc, eq, gt, ne, sql } from 'drizzle-orm'
import { utcDay } from '../lib/clock.ts'
import type { Database } from './database.ts'
import type { Steps } from './operation.ts'
import { hasState } from './payment-transitions.ts'
import { anyNumber, matches, queriesOf } from './query.ts'
import { payments, settlementDays, settlements } from './schema.ts'

export interface SettlementRecord {
  readonly txHash: string
  readonly paymentId: string
  /** Whom it counts for or against; `nobody` where a failure is no payer's fault. */
  readonly payer: string
  /** Whether the payment was settled in the end, by this transaction or by another. */
  readonly isSettled: boolean
  readonly gasUsed: number
  readonly gasPriceWei: number
  readonly feeGwei: number
  readonly createdAtMs: number
}

export interface SettlementCosts {
  readonly count: number
  readonly failed: number
  readonly gasUsed: number
  readonly feeGwei: number
}

export type SettlementDay = SettlementCosts & { readonly day: number }

/** In the place of a payer. */
export const nobody = ''

const { paymentId, payer, isSettled, createdAtMs } = settlements
const { day, count, failed, gasUsed, feeGwei } = settlementDays

/** The costs and outcomes of settlement transactions. */
export function createSettlementTable(database: Database) {
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
    /** The times of the payer's failed settlements, newest first. */
    failuresOf: (payer: string, sinceMs: number, limit: number) =>
      failuresOf({ payer, sinceMs, limit }).as((rows) => rows.map(({ atMs }) => atMs)),
    /** How many settlements failed by the fault of any payer, counted up to `max`. */
    failures: (sinceMs: number, max: number) => failures({ sinceMs, max }),
    /** How many settlements of the payer succeeded, counted up to `max`. */
    settledOf: (payer: string, sinceMs: number, max: number) => settledOf({ payer, sinceMs, max }),
    /** How many of the payer's settlements are under way, counted up to `max`. */
    openOf: (chainId: number, payer: string, max: number) => openOf({ chainId, payer, max }),
    /** The costs of all transactions that were sent for one payment. */
    ofPayment: (paymentId: string) =>
      ofPayment({ paymentId }).as((costs) => costs ?? { count: 0, failed: 0, gasUsed: 0, feeGwei: 0 }),
    days: (firstDay: number, lastDay: number) => days({ firstDay, lastDay }),
  }
}
