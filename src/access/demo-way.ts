import type { Authorization, AuthorizationRequest, Refusal } from './authorization.ts'
import type { Meter } from './meter.ts'
import { callsToCount, once, quotaOf, type Way } from './way.ts'

/** `demo=1`: everyone draws on one bucket. */
export function createDemoWay(meter: Meter, dailyQuota: number): Way {
  async function draw(request: AuthorizationRequest): Promise<Authorization | Refusal> {
    const { endpoint } = request
    const n = callsToCount(request)
    const take = await meter.take({ bucket: 'demo', limit: dailyQuota, n, endpoint, auth: 'demo' })
    const quota = quotaOf(take)
    if (take.granted) return { granted: true, mode: 'demo', quota, refund: once(() => meter.giveBack(take)) }
    return {
      code: 'demo_quota_exhausted',
      detail: 'The demo is used up for today; it starts again at 00:00 UTC.',
      quota,
    }
  }

  return (request, { demo }) => (demo ? draw(request) : undefined)
}
