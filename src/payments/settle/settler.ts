import type { PaymentRow } from '../../store/payments.ts'
import type { SettledTransfer } from '../chain/settlement-finder.ts'
import type { PaymentRefusal } from '../payment-refusal.ts'
import type { Hex } from '../payment-settings.ts'
import type { OfferedAuthorization } from '../wire/parse-payment.ts'
import type { Offer } from '../wire/payment-terms.ts'

/** Carries signed authorizations to the chain. Throws `OutcomeUnknown` when it cannot be said what became of one. */
export interface Settler {
  /** Says before any work whether the authorization would be carried out now, and how much its payer owns. */
  check(offered: OfferedAuthorization, offer: Offer): Promise<CheckedAuthorization | PaymentRefusal>
  /** Moves the money of a reserved payment. Its row names the transaction before that can happen. */
  settle(
    payment: PaymentRow,
    offered: OfferedAuthorization,
    offer: Offer,
  ): Promise<Settlement | PaymentRefusal>
}

export interface CheckedAuthorization {
  readonly kind: 'good'
  /** Infinite where only the settler knows. */
  readonly balanceMicros: number
  /** The transaction that carried the authorization already, sent by somebody else. */
  readonly carried?: SettledTransfer
}

export type Settlement =
  | ({ readonly kind: 'settled' } & SettledTransfer)
  /** On its way: the operator chose not to wait. */
  | { readonly kind: 'submitted'; readonly txHash: Hex }
