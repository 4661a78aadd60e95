import { dailyLimitOf } from '../../src/access/key-quota.ts'
import { utcDay } from '../../src/lib/clock.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import type { AdminDeps } from '../deps.ts'

export interface KeyDays {
  readonly usedToday: number
  /** Calls per day; null: unlimited. */
  readonly limit: number | null
  /** Whether it was not used in these days, and is older than them. */
  readonly isIdle: boolean
  readonly firstDay: number
  readonly today: number
  /** Calls of each day from `firstDay` to today. */
  readonly calls: readonly number[]
  /** The last of these days on which it was used. */
  readonly lastDay: number | undefined
}

/** The use of a key in the last `length` UTC days, today included. */
export function readKeyDays({ store, clock, config }: AdminDeps, key: KeyRow, length = 30): KeyDays {
  const nowMs = clock.now()
  const today = utcDay(nowMs)
  const firstDay = today - length + 1
  const history = store.usage.history(`key:${key.id}`, firstDay, today)
  const used = new Map(history.map((row) => [row.day, row.used]))
  return {
    firstDay,
    today,
    calls: Array.from({ length }, (_, index) => used.get(firstDay + index) ?? 0),
    lastDay: history.findLast((row) => row.used > 0)?.day,
    usedToday: used.get(today) ?? 0,
    limit: dailyLimitOf(key, config.KEY_DAILY_QUOTA, nowMs),
    isIdle: utcDay(key.createdAtMs) < firstDay && history.every((row) => row.used === 0),
  }
}
