import type { PaymentRow } from '../store/payment-states.ts'
import type { Chain, SettledTransfer } from './chain/chain.ts'
import type { SignerFinder } from './chain/signatures.ts'
import { type Claim, paymentSlot, type SpendRequest } from './ledger/claims.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { PaymentWaits, VerificationLimiter } from './payment-limits.ts'
import { type PaymentRefusal, refuse } from './payment-reasons.ts'
import {
  type Hex,
  type PaymentContext,
  type PaymentSettings,
  toAtomic,
  toMicros,
} from './payment-settings.ts'
import type { PayingClient } from './payments.ts'
import type { ReorgCheck } from './settle/reorg-check.ts'
import type { SettlementResolver } from './settle/settlement-resolver.ts'
import type { OfferedAuthorization } from './wire/parse-payment.ts'
import type { Offer } from './wire/payment-terms.ts'
import { bindingFor, requestKey } from './wire/request-binding.ts'

/** Parts that all payments share. Those that need a chain are undefined without an RPC. */
export interface PaymentParts extends PaymentContext {
  readonly ledger: Ledger
  readonly waits: PaymentWaits
  readonly chain: Chain | undefined
  readonly resolver: SettlementResolver
  readonly checkReorg: ReorgCheck | undefined
  readonly verificationLimiter: VerificationLimiter
  readonly findSigner: SignerFinder
  readonly firstStartMs: number
  readonly lowestPriceMicros: number
}

export interface Purchase extends Offer, PayingClient {
  /** Equal for equal method, URL and subject. */
  readonly key: string
}

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

export async function claimPayment({ ledger, waits }: PaymentParts, payment: PaymentRow, purchase: Purchase) {
  const spend = { ...spendRequestFor(purchase), slot: paymentSlot(payment.id) }
  return await waits.claimWhenFree(purchase, () => ledger.claim(payment, spend))
}

/** An authorization must stay valid for this long, so that it can still be mined. */
const validForSecondsMin = 6n

/** Compares an authorization with our own terms, never with the client's copy of them. */
export function checkTerms(
  { via, authorization }: OfferedAuthorization,
  priceMicros: number,
  { payTo, asset }: PaymentSettings,
): PaymentRefusal | undefined {
  const price = toAtomic(priceMicros, asset)
  const isForUs = authorization.to === payTo.toLowerCase() && authorization.from !== authorization.to
  if (!isForUs) return refuse('invalid_exact_evm_payload_recipient_mismatch')
  if (authorization.value < price) return refuse('invalid_exact_evm_payload_authorization_value')
  // The ledger counts in micros: an amount that micros cannot express could not be found again on the chain.
  if (toAtomic(toMicros(authorization.value, asset), asset) !== authorization.value)
    return refuse('invalid_exact_evm_payload_authorization_value')
  // x402 v1 names a maximum, so more is allowed and becomes credit. The later formats name the exact amount.
  if (via === 'x402-v1' || authorization.value === price) return undefined
  return refuse('invalid_exact_evm_payload_authorization_value_mismatch')
}

/** Judges by the authorization's own time limits and its challenge's. */
export function checkValidity(
  { authorization: { validAfter, validBefore }, challengeUntilMs }: OfferedAuthorization,
  nowMs: number,
): PaymentRefusal | undefined {
  if (challengeUntilMs !== undefined && challengeUntilMs <= nowMs)
    return refuse('invalid_payment_requirements')
  const now = BigInt(Math.floor(nowMs / 1000))
  if (validAfter >= now) return refuse('invalid_exact_evm_payload_authorization_valid_after')
  if (validBefore < now + validForSecondsMin)
    return refuse('invalid_exact_evm_payload_authorization_valid_before')
  return undefined
}

/** Everybody sees the money on chain. Bound, it buys only its own request; else any below the price that needs a proof. */
export function checkBinding(
  { binding }: Pick<PaymentRow, 'binding'>,
  purchase: Purchase,
  { settings, secret }: PaymentContext,
): PaymentRefusal | undefined {
  if (binding === null)
    return purchase.priceMicros >= settings.proofFromMicros ? refuse('proof_required') : undefined
  return binding === bindingFor(purchase, secret) ? undefined : refuse('payment_bound_to_other_request')
}

/** Everybody can read the signature on chain. While it is valid it is its bearer's, for whatever it was shown before. */
export function checkShown(
  { binding }: Pick<PaymentRow, 'binding'>,
  offered: OfferedAuthorization,
  purchase: Purchase,
  deps: PaymentContext,
): PaymentRefusal | undefined {
  const isForOther = binding !== bindingFor(purchase, deps.secret)
  const isForAny = isForOther && checkValidity(offered, deps.clock.now()) === undefined
  return checkBinding({ binding: isForAny ? null : binding }, purchase, deps)
}

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
