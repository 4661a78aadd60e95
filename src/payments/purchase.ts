import type { PaymentRow } from '../store/payments.ts'
import { retryWhileLocked } from '../store/retry-while-locked.ts'
import type { Claim, SpendRequest, StoredResponse } from './ledger/ledger.ts'
import { OutcomeUnknown } from './outcome-unknown.ts'
import type { PaymentRefusal } from './payment-refusal.ts'
import type { Settlement } from './settle/settler.ts'
import type { Offer } from './wire/payment-terms.ts'
import { requestKey } from './wire/request-binding.ts'

/** One call that somebody wants to pay for. */
export interface Purchase {
  readonly offer: Offer
  /** The word that statistics know the call by. */
  readonly endpoint: string
  /** The same for the same method, URL and subject. */
  readonly key: string
  /** Who asks, so that nobody keeps the chain busy for all. */
  readonly clientAddress: string
}

/** What became of an offered payment. Throws `OutcomeUnknown` where that cannot be said. */
export type Decision =
  | {
      readonly kind: 'held'
      readonly chargeId: string
      readonly payment: PaymentRow
      /** Moves the money, once the answer is made. Absent when it has moved. */
      readonly settle?: () => Promise<Settlement | PaymentRefusal>
    }
  | { readonly kind: 'replay'; readonly answer: StoredResponse; readonly payment: PaymentRow }
  | PaymentRefusal

export function createPurchase(offer: Offer, endpoint: string, clientAddress: string): Purchase {
  const { subject } = offer
  const key = subject === undefined ? requestKey(offer) : `${requestKey(offer)} ${subject}`
  return { offer, endpoint, key, clientAddress }
}

export function spendRequestFor(
  { offer, endpoint, key }: Purchase,
  slot: string,
  isPlain: boolean,
): SpendRequest {
  return { slot, isWithoutProof: isPlain, request: key, endpoint, amountMicros: offer.priceMicros }
}

const lookAgainMs = 40
const busyMsMax = 15_000

/** Claims, and waits while the same request is being answered: its answer is good for this one too. */
export async function claimWhenFree(claim: () => Claim): Promise<Exclude<Claim, { kind: 'busy' }>> {
  const deadlineMs = performance.now() + busyMsMax
  for (;;) {
    const outcome = await retryWhileLocked(claim)
    if (outcome.kind !== 'busy') return outcome
    if (performance.now() > deadlineMs)
      throw new OutcomeUnknown('busy', 'The same request is still being answered.')
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs))
  }
}

export function toDecision(
  claim: Exclude<Claim, { kind: 'busy' }>,
  settle?: (payment: PaymentRow) => Promise<Settlement | PaymentRefusal>,
): Decision {
  if (claim.kind !== 'claimed') return claim
  const { chargeId, payment } = claim
  return { kind: 'held', chargeId, payment, ...(settle && { settle: () => settle(payment) }) }
}
