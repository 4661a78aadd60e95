import type { PaymentRow } from '../store/payment-row.ts'
import { type Claim, paymentSlot, type SpendRequest } from './ledger/claims.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { PaymentWaits } from './payment-limits.ts'
import type { PaymentRefusal } from './payment-reasons.ts'
import type { PayingClient } from './payments.ts'
import type { Settlement } from './settle/settler.ts'
import type { Offer } from './wire/payment-terms.ts'
import { requestKey } from './wire/request-binding.ts'

/** One request that a client wants to pay for. */
export interface Purchase extends Offer, PayingClient {
  /** Equal for equal method, URL and subject. */
  readonly key: string
}

/** The decision about an offered payment. */
export type Decision = Exclude<Claim, { kind: 'busy' | 'claimed' }> | ReservedCharge

export type ReservedCharge = Extract<Claim, { kind: 'claimed' }> & {
  /** Moves the money, once the response is ready. Absent if it has moved. */
  readonly settle?: () => Promise<Settlement | PaymentRefusal>
}

export function createPurchase(offer: Offer, { clientAddress, waiter }: PayingClient): Purchase {
  const { subject } = offer
  const key = subject === undefined ? requestKey(offer) : `${requestKey(offer)} ${subject}`
  return { ...offer, key, clientAddress, waiter }
}

/** @param slot of a proof; by default the payment's own, which needs neither */
export function spendRequestFor({ key, endpoint, priceMicros }: Purchase, slot?: string): SpendRequest {
  const isWithoutProof = slot === undefined
  return { slot: slot ?? '', isWithoutProof, request: key, endpoint, amountMicros: priceMicros }
}

/** Claims what is left of a stored payment, without any further proof. */
export async function claimPayment(
  { ledger, waits }: ClaimContext,
  payment: PaymentRow,
  purchase: Purchase,
): Promise<Decision> {
  const spend = { ...spendRequestFor(purchase), slot: paymentSlot(payment.id) }
  return await waits.claimWhenFree(purchase, () => ledger.claim(payment, spend))
}

/** The parts that claim a payment. */
export interface ClaimContext {
  readonly ledger: Ledger
  readonly waits: PaymentWaits
}
