import { assignments } from './columns.ts'
import type { DatabaseValue } from './operation.ts'
import { type PaymentRow, type PaymentState, paymentColumns } from './payment-row.ts'

/** A change of state: made only where the payment is still what the change was decided on. */
export type PaymentTransition = {
  [To in Exclude<PaymentState, 'settled'>]: {
    readonly to: To
    readonly from: readonly (typeof statesBefore)[To][number][]
    /** The settlement that it must still be about. */
    readonly ifTxHash?: string | null
    /** The block in which it must still be. */
    readonly ifBlockHash?: string | null
    readonly changes?: SettlementDetails
    readonly nowMs: number
  }
}[Exclude<PaymentState, 'settled'>]

/**
 * From which states a payment can come into each. Money that has settled can only turn out to have vanished, and that
 * only until the chain shows it again.
 */
export const statesBefore = {
  reserved: ['submitted', 'released', 'failed'],
  submitted: ['reserved', 'submitted', 'released'],
  settled: ['reserved', 'submitted', 'released', 'failed', 'reorged'],
  released: ['reserved', 'submitted'],
  failed: ['reserved', 'submitted', 'released'],
  reorged: ['settled'],
} as const satisfies Readonly<Record<PaymentState, readonly PaymentState[]>>

/** How a payment is being settled. */
type SettlementDetails = Partial<
  Pick<PaymentRow, 'txHash' | 'reason' | 'binding' | 'settler' | 'settlerNonce' | 'rawTransaction'>
>

/** Money as the chain shows it: the transaction, its block, and the logs that moved it. */
export interface ConfirmedTransfer {
  readonly txHash: string
  readonly blockNumber: number
  readonly blockHash: string
  /** Counted from the transaction's first log. None where only a facilitator's word stands for the transfer. */
  readonly logIndexes: readonly number[]
  readonly nowMs: number
}

/** The update that makes the transition, with its values. */
export function transitionStatement(
  id: string,
  { to, from, ifTxHash, ifBlockHash, changes, nowMs }: PaymentTransition,
): { readonly sql: string; readonly values: readonly DatabaseValue[] } {
  const change = assignments(paymentColumns, { ...changes, state: to, updatedAtMs: nowMs })
  const conditions = ['id = ?', hasState(...from)]
  const values: DatabaseValue[] = [...change.values, id]
  for (const [column, expected] of [
    ['tx_hash', ifTxHash],
    ['block_hash', ifBlockHash],
  ] as const) {
    if (expected === undefined) continue
    conditions.push(`${column} is not distinct from ?`)
    values.push(expected)
  }
  return { sql: `update payments set ${change.sql} where ${conditions.join(' and ')}`, values }
}

/** The states as a part of a statement: a bound one would hide the partial indexes from SQLite. */
export function hasState(...states: readonly PaymentState[]): string {
  return `state in (${states.map((state) => `'${state}'`).join(', ')})`
}
