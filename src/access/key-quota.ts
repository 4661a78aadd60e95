import { metricFamily } from '../assets/stats/prometheus.ts'
import { clientBlocks } from '../lib/client-addresses.ts'
import { type Clock, dayMs, isoDay, utcDay } from '../lib/clock.ts'
import type { KeyRow } from '../store/keys.ts'
import type { Meter, QuotaReservation, ReservationRequest } from '../store/meter.ts'
import type { Store } from '../store/open.ts'
import type { UsageTable } from '../store/usage.ts'

/** Calls a UTC day; null: without limit. */
export function dailyLimitOf(key: KeyRow, general: number, nowMs: number): number | null {
  return isUnlimited(key, nowMs) ? null : (key.dailyQuota ?? general)
}

export function isUnlimited({ unlimitedUntilMs }: KeyRow, nowMs: number): boolean {
  return unlimitedUntilMs !== null && nowMs < unlimitedUntilMs
}

/** A stranger was issued the key, and nobody has named, limited or paid for it since. */
export function isStrangers(key: Pick<KeyRow, 'name' | 'notes' | 'dailyQuota' | 'unlimitedUntilMs'>) {
  return key.name === '' && key.notes === '' && key.dailyQuota === null && key.unlimitedUntilMs === null
}

/** Days of the history, today included. */
const days = 7

export async function readKeyUsage(usage: UsageTable, key: KeyRow, keyDailyQuota: number, nowMs: number) {
  const today = utcDay(nowMs)
  const firstDay = today - days + 1
  const usedDays = await usage.history(`key:${key.id}`, firstDay, today)
  const history = new Map(usedDays.map(({ day, used }) => [day, used]))
  const used = history.get(today) ?? 0
  const limit = dailyLimitOf(key, keyDailyQuota, nowMs)
  return {
    key: key.id,
    plan: isUnlimited(key, nowMs) ? 'unlimited' : 'free',
    day: isoDay(today),
    used,
    limit,
    remaining: limit === null ? null : Math.max(0, limit - used),
    resetsAtMs: (today + 1) * dayMs,
    lastDays: Array.from({ length: days }, (_, i) => ({
      day: isoDay(firstDay + i),
      used: history.get(firstDay + i) ?? 0,
    })),
  }
}

/** Prometheus keeps a series for each key that was ever among these. */
const keysMax = 20

/** Use and limit of today's busiest keys for Prometheus. They name keys, so they are for the operator alone. */
export async function readKeyMetrics({ keyList }: Store, clock: Clock, keyDailyQuota: number) {
  const nowMs = clock.now()
  const keys = await keyList.mostUsed(utcDay(nowMs), keysMax)
  const limits = keys.flatMap((key) => {
    const limit = dailyLimitOf(key, keyDailyQuota, nowMs)
    return limit === null ? [] : [[limit, { key: key.id }] as const]
  })
  const used = keys.map((key) => [key.used, { key: key.id }] as const)
  const about = `Calls used on this UTC day, of the ${keysMax} keys that are used most.`
  return (
    metricFamily('mintmark_key_calls_used', 'gauge', about, used) +
    metricFamily('mintmark_key_calls_limit', 'gauge', 'Calls that a UTC day has for these keys.', limits)
  )
}

interface ClientRequest extends Pick<ReservationRequest, 'n' | 'dedupKey'> {
  readonly name: string
  /** The limit of an IPv4 address or a /64; a /56 and a /48 have four and sixteen times as much. */
  readonly limit: number
}

export interface ClientReservation extends Pick<QuotaReservation, 'granted' | 'resetsAtMs'> {
  /** The call is new today to each block, so that all of them pay for it. */
  readonly isCounted: boolean
  release(): Promise<void>
}

/** Counts a call against the client's daily quota in every block that it lies in, or in none. Rejects with `MeterUnavailable`. */
export async function reserveForClient(
  meter: Pick<Meter, 'reserve' | 'release'>,
  clientAddress: string,
  { name, limit, ...request }: ClientRequest,
): Promise<ClientReservation> {
  const granted: QuotaReservation[] = []
  async function release(): Promise<void> {
    await Promise.all(granted.splice(0).map((each) => meter.release(each)))
  }
  let resetsAtMs = 0
  let isCounted = true
  try {
    // The smallest block comes first, so that a client beyond its own limit holds nothing of its neighbours’.
    for (const block of clientBlocks(clientAddress)) {
      const bucket = `ip:${block.name}:${name}`
      const reservation = await meter.reserve({ ...request, bucket, limit: limit * block.weight })
      resetsAtMs = reservation.resetsAtMs
      if (!reservation.granted) {
        await release()
        return { granted: false, isCounted: false, resetsAtMs, release }
      }
      granted.push(reservation)
      isCounted &&= reservation.counted > 0
    }
    return { granted: true, isCounted, resetsAtMs, release }
  } catch (error) {
    await release()
    throw error
  }
}
