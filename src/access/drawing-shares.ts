import { LRUCache } from 'lru-cache'
import { type Clock, utcDay } from '../lib/clock.ts'
import type { Meter, QuotaReservation } from '../store/meter.ts'
import type { UsageTable } from '../store/usage.ts'

export type DrawingShares = ReturnType<typeof createDrawingShares>

interface Share {
  readonly day: number
  readonly limit: number | null
  /** Below zero where more were made on credit than the store had. */
  left: number
  isUsedUp: boolean
  /** The reservations that `left` rests on; undefined while it is a credit. */
  reservation?: QuotaReservation | undefined
  refill?: Promise<void> | undefined
}

/** Drawings a UTC day for each call of the key's quota, because a page's picture is loaded by many who have no copy of it. */
const drawingsPerCall = 20
/** Keys whose shares are in memory. A key that is forgotten gets back what it did not use. */
const keysMax = 10_000
/** At most one part in so many of the day's drawings is taken from the store at once. */
const sharesOfDay = 20
const unlimitedShare = 100

/**
 * Bounds the drawings of each key. Processes take shares from the store and draw on credit until it answers, one too many each.
 * @param dailyDrawings the bound of every key; undefined: a multiple of the key's own quota
 */
export function createDrawingShares(
  { meter, usage }: { readonly meter: Meter; readonly usage: Pick<UsageTable, 'used'> },
  clock: Clock,
  dailyDrawings: number | undefined,
) {
  const shares = new LRUCache<string, Share>({ max: keysMax, dispose: (share) => void giveBack(share) })

  function limitOf(dailyQuota: number | null): number | null {
    return dailyQuota === null ? null : (dailyDrawings ?? dailyQuota * drawingsPerCall)
  }

  function shareOf(keyId: string, limit: number | null): Share {
    const day = utcDay(clock.now())
    const known = shares.get(keyId)
    if (known !== undefined && known.day === day && known.limit === limit) return known
    const share = { day, limit, left: 0, isUsedUp: false }
    shares.set(keyId, share)
    return share
  }

  async function refill(share: Share, keyId: string): Promise<void> {
    const { limit } = share
    const size = limit === null ? unlimitedShare : Math.max(1, Math.floor(limit / sharesOfDay))
    share.left += size
    share.reservation = undefined
    try {
      let reservation = await meter.reserve({ bucket: bucketOf(keyId), limit, n: size })
      // The last of the bound may be smaller than a share, and other processes take of it.
      while (!reservation.granted && reservation.remaining)
        reservation = await meter.reserve({ ...reservation.request, n: reservation.remaining })
      share.left -= size - reservation.counted
      share.isUsedUp = reservation.remaining === 0
      if (reservation.granted) share.reservation = reservation
    } catch {
      // Views that are granted while the store is away are drawn without it.
    } finally {
      share.refill = undefined
    }
  }

  /** Resolves to false where the day's drawings of the key have no room for one more. @param dailyQuota null: without limit */
  async function take(keyId: string, dailyQuota: number | null): Promise<boolean> {
    const share = shareOf(keyId, limitOf(dailyQuota))
    if (share.left <= 0 && !share.isUsedUp) share.refill ??= refill(share, keyId)
    if (share.left > 0) {
      share.left -= 1
      return true
    }
    if (share.refill === undefined) return false
    await share.refill
    return take(keyId, dailyQuota)
  }

  return {
    take,
    /** Reads the drawings of today. Shares of other processes count as used. A null limit is no limit. */
    async read(keyId: string, dailyQuota: number | null) {
      const share = shares.peek(keyId)
      await share?.refill
      const day = utcDay(clock.now())
      const stored = await usage.used(day, bucketOf(keyId))
      const unused = share?.day === day && share.reservation !== undefined ? Math.max(0, share.left) : 0
      return { used: Math.max(0, stored - unused), limit: limitOf(dailyQuota) }
    },
    async close(): Promise<void> {
      await Promise.all([...shares.values()].map(giveBack))
    },
  }

  async function giveBack(share: Share): Promise<void> {
    await share.refill
    const { reservation, left } = share
    share.left = 0
    if (reservation !== undefined && left > 0) await meter.release({ ...reservation, counted: left })
  }
}

function bucketOf(keyId: string): string {
  return `drawings:${keyId}`
}
