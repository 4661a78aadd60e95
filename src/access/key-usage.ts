import { type Clock, dayMs, isoDay, utcDay } from '../lib/clock.ts'
import type { KeyRow } from '../store/keys.ts'
import type { UsageTable } from '../store/usage.ts'
import { dailyLimitOf, isUnlimited } from './key-quota.ts'

interface KeyUsageDeps {
  readonly usage: Pick<UsageTable, 'history'>
  readonly clock: Clock
  readonly keyDailyQuota: number
}

/**
 * Reads what a key has used and has left: today and on the days before it, today last. Days are UTC days, written
 * `YYYY-MM-DD`; a null limit is no limit.
 */
export async function readKeyUsage(deps: KeyUsageDeps, key: KeyRow, days = 7) {
  const nowMs = deps.clock.now()
  const today = utcDay(nowMs)
  const firstDay = today - days + 1
  const usedDays = await deps.usage.history(`key:${key.id}`, firstDay, today)
  const history = new Map(usedDays.map(({ day, used }) => [day, used]))
  const used = history.get(today) ?? 0
  const limit = dailyLimitOf(key, deps.keyDailyQuota, nowMs)
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
