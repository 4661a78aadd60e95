import type { Meter, QuotaReservation } from '../store/meter.ts'
import type { Authorization, AuthorizationRequest, AuthStrategy, Refusal } from './authorization.ts'
import { callsToCount, demoRevalidation, grantByQuota } from './quota-grant.ts'

/** Authenticates `demo=1`: everybody shares one quota. */
export function createDemoStrategy(meter: Meter, dailyQuota: number): AuthStrategy {
  function authorize(request: AuthorizationRequest): Promise<Authorization | Refusal> {
    const { endpoint } = request
    const n = callsToCount(request)
    return meter.reserve({ bucket: 'demo', limit: dailyQuota, n, endpoint, auth: 'demo' }).then(decided)
  }

  function decided(reservation: QuotaReservation): Authorization | Refusal {
    if (reservation.granted) return grantByQuota('demo', meter, reservation)
    return {
      code: 'demo_quota_exhausted',
      detail: 'Today’s demo quota is used up; it resets at 00:00 UTC.',
      quota: reservation,
    }
  }

  return (request, { demo }) => {
    if (!demo) return undefined
    return request.isRevalidation === true ? demoRevalidation : authorize(request)
  }
}
