import { utcDay } from '../lib/clock.ts'
import { type Columns, columnsOf, insertInto, rowValues } from './columns.ts'
import type { Database } from './database.ts'
import type { Operation, Steps } from './operation.ts'
import { statementsOf } from './statements.ts'

/** The costs and outcomes of settlement transactions. */
export interface SettlementTable {
  /** Adds a mined settlement and counts it into its day; only once, however often its receipt is read. Belongs into a transaction. */
  add(settlement: Settlement): Steps<void>
  /** The times of the payer's failed settlements, newest first. */
  failuresOf(payer: string, sinceMs: number, limit: number): Operation<readonly number[]>
  /** How many settlements failed by the fault of any payer, counted up to `limit`. */
  failures(sinceMs: number, limit: number): Operation<number>
  /** How many settlements of the payer succeeded, counted up to `limit`. */
  settledOf(payer: string, sinceMs: number, limit: number): Operation<number>
  /** How many of the payer's settlements are under way, counted up to `limit`. */
  openOf(chainId: number, payer: string, limit: number): Operation<number>
  /** The costs of all transactions that were sent for one payment. */
  ofPayment(paymentId: string): Operation<SettlementCosts>
  days(firstDay: number, lastDay: number): Operation<readonly SettlementDay[]>
}

export interface Settlement {
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

const columns: Columns<Settlement> = columnsOf(
  'txHash paymentId payer isSettled gasUsed gasPriceWei feeGwei createdAtMs',
)

export function createSettlementTable(database: Database): SettlementTable {
  const { one, all, countUpTo, change, write } = statementsOf(database)
  const insert = change(`${insertInto('settlements', columns)} on conflict do nothing`)
  const count = write(
    `insert into settlement_days (day, count, failed, gas_used, fee_gwei) values (?, 1, ?, ?, ?)
     on conflict (day) do update set count = settlement_days.count + 1,
       failed = settlement_days.failed + excluded.failed,
       gas_used = settlement_days.gas_used + excluded.gas_used,
       fee_gwei = settlement_days.fee_gwei + excluded.fee_gwei`,
  )
  const failuresOf = all<[payer: string, sinceMs: number, limit: number], { atMs: number }>(
    `select created_at_ms as "atMs" from settlements
     where payer = ? and is_settled = 0 and created_at_ms > ? order by created_at_ms desc limit ?`,
  )
  const ofPayment = one<[paymentId: string], SettlementCosts>(
    `select count(*) as count, coalesce(sum(1 - is_settled), 0) as failed,
       coalesce(sum(gas_used), 0) as "gasUsed", coalesce(sum(fee_gwei), 0) as "feeGwei"
     from settlements where payment_id = ?`,
  )
  return {
    *add(settlement) {
      const isSettled = settlement.isSettled ? 1 : 0
      const { createdAtMs, gasUsed, feeGwei } = settlement
      if (yield* insert(...rowValues(columns, { ...settlement, isSettled })))
        yield* count(utcDay(createdAtMs), 1 - isSettled, gasUsed, feeGwei)
    },
    failuresOf: (payer, sinceMs, limit) =>
      failuresOf(payer, sinceMs, limit).as((rows) => rows.map(({ atMs }) => atMs)),
    failures: countUpTo(`settlements where is_settled = 0 and created_at_ms > ? and payer <> '${nobody}'`),
    settledOf: countUpTo('settlements where payer = ? and is_settled = 1 and created_at_ms > ?'),
    openOf: countUpTo(
      `payments${database.texts.indexedBy('payments_open')}
       where state in ('reserved', 'submitted') and state = 'submitted' and chain_id = ? and payer = ?`,
    ),
    ofPayment: (paymentId) =>
      ofPayment(paymentId).as((costs) => costs ?? { count: 0, failed: 0, gasUsed: 0, feeGwei: 0 }),
    days: all(
      `select day, count, failed, gas_used as "gasUsed", fee_gwei as "feeGwei"
       from settlement_days where day between ? and ? order by day`,
    ),
  }
}
