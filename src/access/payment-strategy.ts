import { runOnce } from '../lib/run-once.ts'
import {
  notCharged,
  type OutcomeUnknown,
  type PaymentRefusal,
  paymentReasons,
} from '../payments/payment-reasons.ts'
import type { PaymentAuthorization, Payments } from '../payments/payments.ts'
import type { Meter, QuotaReservation } from '../store/meter.ts'
import type { AuthStrategy, Refusal, Unavailable } from './authorization.ts'

/** Authenticates by payment. Tried only when nothing free was granted, and never for HEAD. */
export function createPaymentStrategy(meter: Meter, payments: Pick<Payments, 'authorize'>): AuthStrategy {
  /** Paid calls have no limit and are counted all the same. */
  async function count(endpoint: string, payment: PaymentAuthorization): Promise<QuotaReservation> {
    try {
      return await meter.reserve({ bucket: 'payment', limit: null, endpoint, auth: 'payment' })
    } catch (error) {
      await payment.release()
      throw error
    }
  }

  return async (request) => {
    if (request.method === 'HEAD') return undefined
    const outcome = await payments.authorize(request)
    switch (outcome.kind) {
      case 'none':
        return undefined
      case 'refused':
        return toRefusal(outcome)
      case 'replayed':
        return { granted: false, error: 'replayed', response: outcome.response }
      case 'unknown':
        return toUnavailable(outcome.error)
      case 'authorized': {
        const { payment } = outcome
        const reservation = await count(request.endpoint, payment)
        const refund = runOnce(async () => {
          await Promise.all([payment.release(), meter.release(reservation)])
        })
        return { granted: true, mode: 'payment', payment, refund }
      }
    }
  }
}

function toRefusal({ reason, retryAfterSeconds }: PaymentRefusal): Refusal {
  const refusal = { code: reason, detail: paymentReasons[reason] }
  if (retryAfterSeconds === undefined) return refusal
  return { ...refusal, headers: { 'retry-after': String(retryAfterSeconds) } }
}

function toUnavailable({ code, message, retryAfterSeconds, cause }: OutcomeUnknown): Unavailable {
  return { granted: false, error: code, detail: message, retryAfterSeconds, headers: notCharged, cause }
}
