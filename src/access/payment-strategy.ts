import { type AuthStrategy, once } from './auth-strategy.ts'
import type { Charge } from './authorization.ts'
import type { Meter } from './meter.ts'
import type { Payments } from './payments.ts'
import type { QuotaReservation } from './quota-reservation.ts'

/** Money: asked only when nothing free was granted, and never for HEAD. */
export function createPaymentStrategy(meter: Meter, payments: Payments): AuthStrategy {
  /** Paid calls have no limit and are counted all the same. */
  async function count(endpoint: string, charge: Charge): Promise<QuotaReservation> {
    try {
      return await meter.reserve({ bucket: 'payment', limit: null, endpoint, auth: 'payment' })
    } catch (error) {
      await charge.release()
      throw error
    }
  }

  return async (request) => {
    if (request.method === 'HEAD') return undefined
    const outcome = await payments.charge(request)
    switch (outcome.kind) {
      case 'none':
        return undefined
      case 'refused':
        return outcome.refusal
      case 'replayed':
        return { granted: false, error: 'replayed', response: outcome.response }
      case 'unavailable':
        return outcome.unavailable
      case 'charged': {
        const { charge } = outcome
        const reservation = await count(request.endpoint, charge)
        const refund = once(async () => {
          await Promise.all([charge.release(), meter.release(reservation)])
        })
        return { granted: true, mode: 'payment', charge, refund }
      }
    }
  }
}
