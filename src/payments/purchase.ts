import type { PaymentRow } from '../store/payment-row.ts'
import { retryWhileLocked } from '../store/retry-while-locked.ts'
import type { Claim, SpendRequest, StoredResponse } from './ledger/claims.ts'
import { OutcomeUnknown } from './outcome-unknown.ts'
import type { PaymentRefusal } from './payment-refusal.ts'
import type { Settlement } from './settle/settler.ts'
import type { Offer } from './wire/payment-terms.ts'
import { requestKey } from './wire/request-binding.ts'

/** One request that a client wants to pay for. */
export interface Purchase {
  readonly offer: Offer
  /** The name that statistics count the request under. */
  readonly endpoint: string
  /** Equal for equal method, URL and subject. */
  readonly key: string
  /** For limits per client. */
  readonly clientAddress: string
}

/** What became of an offered payment. */
export type Decision =
  | ReservedCharge
  | { readonly kind: 'replay'; readonly answer: StoredResponse; readonly payment: PaymentRow }
  | PaymentRefusal

export interface ReservedCharge {
  readonly kind: 'reserved'
  readonly chargeId: string
  readonly payment: PaymentRow
  /** Moves the money, once the response is ready. Absent if it has moved. */
  readonly settle?: () => Promise<Settlement | PaymentRefusal>
}

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

const retryMs = 40
const waitMsMax = 15_000

/** Claims, and waits while the same request is being answered: this one gets the same response. */
export async function claimWhenFree(claim: () => Claim): Promise<Exclude<Claim, { kind: 'busy' }>> {
  const deadlineMs = performance.now() + waitMsMax
  for (;;) {
    const outcome = await retryWhileLocked(claim)
    if (outcome.kind !== 'busy') return outcome
    if (performance.now() > deadlineMs)
      throw new OutcomeUnknown('busy', 'The same request is still being answered.')
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
}

export function toDecision(
  claim: Exclude<Claim, { kind: 'busy' }>,
  settle?: (payment: PaymentRow) => Promise<Settlement | PaymentRefusal>,
): Decision {
  if (claim.kind !== 'claimed') return claim
  const { chargeId, payment } = claim
  return { kind: 'reserved', chargeId, payment, ...(settle && { settle: () => settle(payment) }) }
}
