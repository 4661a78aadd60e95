import { dailyLimitOf } from '../../src/access/key-quota.ts'
import { utcDay } from '../../src/lib/clock.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import type { AdminDeps } from '../deps.ts'

const daysShown = 30

export type KeyDays = Awaited<ReturnType<typeof readKeyDays>>

/** The use of a key in the last 30 UTC days, today included. */
export async function readKeyDays({ store, clock, config }: AdminDeps, key: KeyRow) {
  const nowMs = clock.now()
  const today = utcDay(nowMs)
  const firstDay = today - daysShown + 1
  const history = await store.usage.history(`key:${key.id}`, firstDay, today)
  const used = new Map(history.map((row) => [row.day, row.used]))
  return {
    nowMs,
    firstDay,
    today,
    /** Calls of each day from `firstDay` to today. */
    calls: Array.from({ length: daysShown }, (_, index) => used.get(firstDay + index) ?? 0),
    /** The last of these days on which it was used. */
    lastDay: history.findLast((row) => row.used > 0)?.day,
    usedToday: used.get(today) ?? 0,
    /** Calls per day; null: unlimited. */
    limit: dailyLimitOf(key, config.KEY_DAILY_QUOTA, nowMs),
    /** Whether it was not used in these days, and is older than them. */
    isIdle: utcDay(key.createdAtMs) < firstDay && history.every((row) => row.used === 0),
  }
}
