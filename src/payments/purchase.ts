import { setTimeout as sleep } from 'node:timers/promises'
import type { PaymentRow } from '../store/payment-row.ts'
import { retryWhileLocked } from '../store/retry-while-locked.ts'
import { type Claim, paymentSlot, type SpendRequest } from './ledger/claims.ts'
import type { Ledger } from './ledger/ledger.ts'
import { OutcomeUnknown } from './outcome-unknown.ts'
import type { PaymentRefusal } from './payment-reasons.ts'
import type { Settlement } from './settle/settler.ts'
import type { Offer } from './wire/payment-terms.ts'
import { requestKey } from './wire/request-binding.ts'

/** One request that a client wants to pay for. */
export interface Purchase extends Offer {
  /** Equal for equal method, URL and subject. */
  readonly key: string
  /** For limits per client. */
  readonly clientAddress: string
}

/** What became of an offered payment. */
export type Decision = Exclude<Claim, { kind: 'busy' | 'claimed' }> | ReservedCharge

export type ReservedCharge = Extract<Claim, { kind: 'claimed' }> & {
  /** Moves the money, once the response is ready. Absent if it has moved. */
  readonly settle?: () => Promise<Settlement | PaymentRefusal>
}

export function createPurchase(offer: Offer, clientAddress: string): Purchase {
  const { subject } = offer
  const key = subject === undefined ? requestKey(offer) : `${requestKey(offer)} ${subject}`
  return { ...offer, key, clientAddress }
}

/** @param slot of a proof or a login; by default the payment's own, which needs neither */
export function spendRequestFor({ key, endpoint, priceMicros }: Purchase, slot?: string): SpendRequest {
  const isWithoutProof = slot === undefined
  return { slot: slot ?? '', isWithoutProof, request: key, endpoint, amountMicros: priceMicros }
}

/** Claims what is left of a stored payment, without any further proof. */
export async function claimPayment(
  ledger: Ledger,
  payment: PaymentRow,
  purchase: Purchase,
): Promise<Decision> {
  const spend = { ...spendRequestFor(purchase), slot: paymentSlot(payment.id) }
  return await claimWhenFree(() => ledger.claim(payment, spend))
}

const retryMs = 40
const waitMsMax = 15_000

/** Claims, and waits while the same request is being answered: this one gets the same response. */
export async function claimWhenFree<Outcome extends { readonly kind: string }>(
  claim: () => Promise<Outcome>,
): Promise<Exclude<Outcome, { kind: 'busy' }>> {
  const deadlineMs = performance.now() + waitMsMax
  for (;;) {
    const outcome = await retryWhileLocked(claim)
    if (isFree(outcome)) return outcome
    if (performance.now() > deadlineMs)
      throw new OutcomeUnknown('busy', 'The same request is still being answered.')
    await sleep(retryMs)
  }
}

function isFree<Outcome extends { readonly kind: string }>(
  outcome: Outcome,
): outcome is Exclude<Outcome, { kind: 'busy' }> {
  return outcome.kind !== 'busy'
}
