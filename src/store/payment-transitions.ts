import type { PaymentRow, PaymentState } from './payment-row.ts'

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
  Pick<PaymentRow, 'txHash' | 'reason' | 'settler' | 'settlerNonce' | 'rawTransaction'>
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
