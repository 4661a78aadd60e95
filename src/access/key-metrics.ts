import { metricFamily } from '../assets/stats/prometheus.ts'
import { type Clock, utcDay } from '../lib/clock.ts'
import type { Store } from '../store/open.ts'
import { dailyLimitOf } from './key-quota.ts'

/** Prometheus keeps a series for each key that was ever among these. */
const keysMax = 20

/**
 * Use and limit of the keys that are used most today, in the Prometheus text format. They name keys, so they are for the
 * operator alone. A key without limit has no sample of it.
 */
export async function readKeyMetrics(
  { keyList }: Store,
  clock: Clock,
  keyDailyQuota: number,
): Promise<string> {
  const nowMs = clock.now()
  const keys = await keyList.mostUsed(utcDay(nowMs), keysMax)
  const limits = keys.flatMap((key) => {
    const limit = dailyLimitOf(key, keyDailyQuota, nowMs)
    return limit === null ? [] : [[limit, { key: key.id }] as const]
  })
  const used = keys.map((key) => [key.used, { key: key.id }] as const)
  return (
    metricFamily(
      'mintmark_key_calls_used',
      'gauge',
      `Calls used on this UTC day, of the ${keysMax} keys that are used most.`,
      used,
    ) + metricFamily('mintmark_key_calls_limit', 'gauge', 'Calls that a UTC day has for these keys.', limits)
  )
}
