import { type PaymentRefusal, refuse } from './payment-reasons.ts'
import type { PaymentSettings } from './payment-settings.ts'
import { toAtomic, toMicros } from './token-amount.ts'
import type { OfferedAuthorization } from './wire/parse-payment.ts'

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
