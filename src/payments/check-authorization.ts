import type { PaymentRow } from '../store/payment-row.ts'
import { type PaymentRefusal, refuse } from './payment-reasons.ts'
import {
  type PaymentContext,
  type PaymentSettings,
  type TermsContext,
  toAtomic,
  toMicros,
} from './payment-settings.ts'
import type { Purchase } from './purchase.ts'
import type { OfferedAuthorization } from './wire/parse-payment.ts'
import { bindingFor } from './wire/request-binding.ts'

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
  if (toAtomic(toMicros(authorization.value, asset), asset) !== authorization.value) {
    return refuse('invalid_exact_evm_payload_authorization_value')
  }
  // x402 v1 names a maximum, so more is allowed and becomes credit. The later formats name the exact amount.
  if (via === 'x402-v1' || authorization.value === price) return undefined
  return refuse('invalid_exact_evm_payload_authorization_value_mismatch')
}

/** Whether the authorization can be settled now, by its own time limits and its challenge's. */
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

/**
 * Whether money that everybody can see on chain may buy the request without its payer's proof: if it is bound, only its
 * own request; if not, any below the price that needs a proof.
 */
export function checkBinding(
  { binding }: Pick<PaymentRow, 'binding'>,
  purchase: Purchase,
  { settings, secret }: TermsContext,
): PaymentRefusal | undefined {
  if (binding === null) {
    return purchase.priceMicros >= settings.proofFromMicros ? refuse('proof_required') : undefined
  }
  return binding === bindingFor(purchase, secret) ? undefined : refuse('payment_bound_to_other_request')
}

/**
 * Whether an authorization whose money is here may buy the request, of which everybody can read the signature on chain.
 * While it is valid it is its bearer's, for whatever it was shown before.
 */
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
