import { type Columns, columnsOf, type NewRow } from './columns.ts'

/**
 * Money that reached us, or that a signed authorization allows us to take. Amounts are integer micros; hashes,
 * addresses and nonces are lower case.
 */
export interface PaymentRow {
  readonly id: string
  readonly method: 'transfer' | 'authorization'
  /** How it was offered: `transfer`, `x402-v1`, `x402-v2` or `mpp`. */
  readonly via: string
  readonly chainId: number
  readonly asset: string
  readonly payTo: string
  readonly payer: string
  /** Of an authorization: the transaction that settles it, stored before it is broadcast. */
  readonly txHash: string | null
  /** The authorization's nonce. Null for a transfer. */
  readonly nonce: string | null
  /** The caller's own idempotency key (the x402 extension payment-identifier). */
  readonly identifier: string | null
  readonly scope: PaymentScope
  readonly amountMicros: number
  readonly spentMicros: number
  readonly state: PaymentState
  /** Why it failed, as a code. */
  readonly reason: string | null
  readonly blockNumber: number | null
  readonly blockHash: string | null
  readonly blockTimeMs: number | null
  /**
   * The request that it is for: of a transfer, the one that its calldata binds it to; of an authorization, the one that
   * showed it before it was used on chain.
   */
  readonly binding: string | null
  /** Until when the authorization can be carried to the chain. */
  readonly validUntilMs: number | null
  readonly settler: string | null
  readonly settlerNonce: number | null
  readonly rawTransaction: string | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

export type PaymentState = 'reserved' | 'submitted' | 'settled' | 'released' | 'failed' | 'reorged'

/**
 * The part of its transaction that a payment covers. `payer`: what its payer sent. `one-of-several`: the same, and other
 * payers of the transaction sent enough to buy something, so that a bare hash does not say whose payment is meant.
 * `transaction`: what all payers sent, as payments were recorded before they were told apart.
 */
export type PaymentScope = 'transaction' | 'payer' | 'one-of-several'

type NewPayment = NewRow<PaymentRow, 'spentMicros' | 'scope'>

export type NewAuthorization = NewPayment & {
  readonly method: 'authorization'
  readonly nonce: string
  readonly state: 'reserved'
}

export type NewTransfer = NewPayment & {
  readonly method: 'transfer'
  readonly txHash: string
  readonly state: 'settled'
}

export const paymentColumns: Columns<PaymentRow> = columnsOf(
  'id method via chainId asset payTo payer txHash nonce identifier scope amountMicros spentMicros state reason',
  'blockNumber blockHash blockTimeMs binding validUntilMs settler settlerNonce rawTransaction',
  'createdAtMs updatedAtMs',
)
