/** Whether a payment is valid or has settled cannot be known now: 503, and the payment stays usable. */
export class OutcomeUnknown extends Error {
  readonly code: 'payments_unavailable' | 'settlement_pending' | 'busy'
  readonly retryAfterSeconds: number

  /** @param cause for the log */
  constructor(code: OutcomeUnknown['code'], message: string, retryAfterSeconds = 2, cause?: unknown) {
    super(message, { cause })
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The headers that tell a client that it may repeat the request with the same payment. */
export const notCharged = { 'x-payment-status': 'not-charged' } as const
