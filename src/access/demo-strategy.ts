import { type AuthStrategy, callsToCount, once, quotaOf } from './auth-strategy.ts'
import type { Authorization, AuthorizationRequest, Refusal } from './authorization.ts'
import type { Meter } from './meter.ts'

/** `demo=1`: everyone draws on one bucket. */
export function createDemoStrategy(meter: Meter, dailyQuota: number): AuthStrategy {
  async function draw(request: AuthorizationRequest): Promise<Authorization | Refusal> {
    const { endpoint } = request
    const n = callsToCount(request)
    const reservation = await meter.reserve({ bucket: 'demo', limit: dailyQuota, n, endpoint, auth: 'demo' })
    const quota = quotaOf(reservation)
    if (reservation.granted)
      return { granted: true, mode: 'demo', quota, refund: once(() => meter.release(reservation)) }
    return {
      code: 'demo_quota_exhausted',
      detail: 'The demo is used up for today; it starts again at 00:00 UTC.',
      quota,
    }
  }

  return (request, { demo }) => (demo ? draw(request) : undefined)
}
