import { type Clock, utcDay } from '../lib/clock.ts'
import type { Meter } from '../store/meter.ts'
import type { Operation } from '../store/operation.ts'
import type { QuotaReservation, ReservationRequest } from '../store/quota-reservation.ts'
import type { UsageTable } from '../store/usage.ts'
import type { AuthorizationRequest } from './authorization.ts'
import { crawlerOf } from './crawlers.ts'

interface OverQuotaDeps {
  readonly meter: Pick<Meter, 'reserve' | 'release'>
  readonly usage: Pick<UsageTable, 'history'>
  readonly clock: Clock
}

/** How many answers over its quota a key has in any `windowDays`, as a multiple of its quota of one day. */
const quotasPerWindow = 10
const windowDays = 30

/** The bucket of what link preview crawlers were given over the quota of a key. */
function overQuotaBucket(keyId: string): string {
  return `over:${keyId}`
}

/** How many answers link preview crawlers were given over the quota of a key on a day. */
export function readOverQuota(
  usage: Pick<UsageTable, 'used'>,
  keyId: string,
  day: number,
): Operation<number> {
  return usage.used(day, overQuotaBucket(keyId))
}

/**
 * Returns a function that reserves an answer over the quota of a key: a quota never costs a link preview. Undefined where
 * the caller does not say that it makes previews, or has had as many as there are.
 */
export function createOverQuota({ meter, usage, clock }: OverQuotaDeps) {
  async function leftToday(bucket: string, dailyQuota: number, day: number): Promise<number> {
    const before = await usage.history(bucket, day - windowDays + 1, day - 1)
    return quotasPerWindow * dailyQuota - before.reduce((sum, { used }) => sum + used, 0)
  }

  return async (
    request: Pick<AuthorizationRequest, 'headers'>,
    { address, dedupKey: _, limit: dailyQuota, ...refused }: ReservationRequest,
  ): Promise<QuotaReservation | undefined> => {
    if (address === undefined || dailyQuota === null) return undefined
    if (!crawlerOf(request.headers.get('user-agent') ?? '').isPreviewCrawler) return undefined
    const bucket = overQuotaBucket(address.keyId)
    const day = utcDay(clock.now())
    const limit = Math.max(0, await leftToday(bucket, dailyQuota, day))
    const reservation = await meter.reserve({ ...refused, bucket, limit })
    if (!reservation.granted) return undefined
    if (reservation.day === day) return reservation
    // A new day has begun, which has another window.
    await meter.release(reservation)
    return undefined
  }
}
