import type { PaymentReason } from './payment-reasons.ts'

/** The payment is refused as far as this request goes: 402. */
export interface PaymentRefusal {
  readonly kind: 'refused'
  readonly reason: PaymentReason
  /** After this time the same payment may be accepted. */
  readonly retryAfterSeconds?: number
}

export function refuse(reason: PaymentReason, retryAfterSeconds?: number): PaymentRefusal {
  return retryAfterSeconds === undefined
    ? { kind: 'refused', reason }
    : { kind: 'refused', reason, retryAfterSeconds }
}
