import { setTimeout as sleep } from 'node:timers/promises'
import { waitInQueue } from '../lib/waiter.ts'
import type { PaymentRow } from '../store/payment-row.ts'
import { retryWhileLocked } from '../store/retry-while-locked.ts'
import { type Claim, paymentSlot, type SpendRequest } from './ledger/claims.ts'
import type { Ledger } from './ledger/ledger.ts'
import { OutcomeUnknown } from './outcome-unknown.ts'
import type { PayingClient } from './paying-client.ts'
import type { PaymentRefusal } from './payment-reasons.ts'
import type { Settlement } from './settle/settler.ts'
import type { PaymentTurns, Scope } from './waits/payment-turns.ts'
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
  /** Lets the callers go on who wait for the same request with the same payment. */
  readonly endTurn: (isAnswered: boolean) => void
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
  { ledger, turns }: ClaimContext,
  payment: PaymentRow,
  purchase: Purchase,
): Promise<Decision> {
  const spend = { ...spendRequestFor(purchase), slot: paymentSlot(payment.id) }
  const key = payment.nonce === null ? spend.slot : authorizationSlot({ ...payment, nonce: payment.nonce })
  return await claimInTurn(turns, key, purchase, () => ledger.claim(payment, spend))
}

/** The parts that claim a payment. */
export interface ClaimContext {
  readonly ledger: Ledger
  readonly turns: PaymentTurns
}

/** The name of an authorization, also before it is stored. */
export function authorizationSlot({
  payer,
  nonce,
}: {
  readonly payer: string
  readonly nonce: string
}): string {
  return `authorization:${payer}:${nonce}`
}

const pollMsMin = 40
const pollMsMax = 320
const waitMsMax = 15_000

type Free<Outcome> = Exclude<Outcome, { readonly kind: 'busy' | 'claimed' }> | ClaimedTurn<Outcome>
type ClaimedTurn<Outcome> = Extract<Outcome, { readonly kind: 'claimed' }> & Pick<ReservedCharge, 'endTurn'>

/**
 * Claims when no other caller tries to buy the same request with the same payment, and returns what the other got, if it
 * bought it. While another process is about to answer the request, one caller asks the store for all.
 * @param slot of the payment or the proof
 */
export async function claimInTurn<Outcome extends Claim | { readonly kind: AskAgain }>(
  turns: PaymentTurns,
  slot: string,
  purchase: Purchase,
  claim: () => Promise<Outcome>,
): Promise<Free<Outcome>> {
  const { result, end } = await turns.take(
    `${slot} ${purchase.key}`,
    purchase,
    () => claimWhenFree(claim, purchase),
    scopeOf,
  )
  return (result.kind === 'claimed' ? { ...result, endTurn: end } : result) as Free<Outcome>
}

/** Outcomes after which each caller has to look again at what is stored. */
type AskAgain = 'stale-balance' | 'same-identifier' | 'earlier'

const askAgain: ReadonlySet<string> = new Set<AskAgain>(['stale-balance', 'same-identifier', 'earlier'])

function scopeOf({ kind }: { readonly kind: string }): Scope {
  if (kind === 'claimed') return 'own'
  return askAgain.has(kind) ? 'none' : 'all'
}

async function claimWhenFree<Outcome extends { readonly kind: string }>(
  claim: () => Promise<Outcome>,
  { waiter }: PayingClient,
): Promise<Exclude<Outcome, { kind: 'busy' }>> {
  const deadlineMs = performance.now() + waitMsMax
  for (let pollMs = pollMsMin; ; pollMs = Math.min(pollMsMax, 2 * pollMs)) {
    const outcome = await retryWhileLocked(claim)
    if (isFree(outcome)) return outcome
    if (performance.now() > deadlineMs)
      throw new OutcomeUnknown('busy', 'The same request is still being answered.')
    await waitInQueue({ name: '', waiter }, sleep(pollMs))
  }
}

function isFree<Outcome extends { readonly kind: string }>(
  outcome: Outcome,
): outcome is Exclude<Outcome, { kind: 'busy' }> {
  return outcome.kind !== 'busy'
}
