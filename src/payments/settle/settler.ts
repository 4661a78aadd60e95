import type { PaymentRow } from '../../store/payment-states.ts'
import type { SettledTransfer } from '../chain/chain.ts'
import type { PaymentRefusal } from '../payment-reasons.ts'
import type { Hex } from '../payment-settings.ts'
import type { PayingClient } from '../payments.ts'
import type { OfferedAuthorization } from '../wire/parse-payment.ts'
import type { Offer } from '../wire/payment-terms.ts'

/** Settles signed authorizations on chain. Throws `OutcomeUnknown` where nobody can tell what became of one. */
export interface Settler {
  /** Checks before any work whether the authorization would settle now. The chain shows that it is not used yet. */
  check(offered: OfferedAuthorization, offer: Offer): Promise<CheckedAuthorization | Unable | PaymentRefusal>
  /** Moves the money of a reserved payment. Its row names the transaction before that can happen. */
  settle(
    payment: PaymentRow,
    offered: OfferedAuthorization,
    offer: Offer & Pick<PayingClient, 'waiter'>,
  ): Promise<Settlement | PaymentRefusal>
}

export interface CheckedAuthorization {
  readonly kind: 'checked'
  /** The payer's balance. Infinite if only the settler knows it. */
  readonly balanceMicros: number
}

/** The payer has done all that is needed; it is the server that cannot settle now. */
export interface Unable {
  readonly kind: 'unable'
  readonly error: unknown
}

export type Settlement =
  | ({ readonly kind: 'settled' } & SettledTransfer)
  /** Broadcast, and not waited for: `X402_SETTLE_WAIT=submitted`. */
  | { readonly kind: 'submitted'; readonly txHash: Hex }
