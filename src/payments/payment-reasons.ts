import reasons from './payment-reasons.json' with { type: 'json' }

/** Why a payment is refused, as codes of ours or of x402, each with what happened and what to do. */
export const paymentReasons = reasons

export type PaymentReason = keyof typeof paymentReasons

export function isReason(word: string): word is PaymentReason {
  return Object.hasOwn(paymentReasons, word)
}

/** The payment is refused as far as this request goes: 402. */
export interface PaymentRefusal {
  readonly kind: 'refused'
  readonly reason: PaymentReason
  /** After this time the same payment may be accepted. */
  readonly retryAfterSeconds?: number
}

export function refuse(reason: PaymentReason, retryAfterSeconds?: number): PaymentRefusal {
  return { kind: 'refused', reason, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }
}

/** Nobody can know now whether a payment is valid or has settled: 503, and it stays usable. */
export class OutcomeUnknown extends Error {
  readonly code: 'payments_unavailable' | 'settlement_pending' | 'busy'
  readonly retryAfterSeconds: number

  constructor(code: OutcomeUnknown['code'], message: string, retryAfterSeconds = 2, cause?: unknown) {
    super(message, { cause })
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The headers that tell a client that it may repeat the request with the same payment. */
export const notCharged = { 'x-payment-status': 'not-charged' } as const
