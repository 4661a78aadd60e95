import { dailyLimitOf } from '../access/key-quota.ts'
import { dayMs, utcDay } from '../lib/clock.ts'
import { formatCount, formatTimeLeft } from '../lib/human-format.ts'
import type { BusyKey } from '../store/busy-keys.ts'
import type { KeyRow } from '../store/keys.ts'
import type { Concern } from './concern.ts'
import type { ConcernDeps } from './concern-deps.ts'
import { keyEndSoonDays, quotaPercentSoon, subjectsMax } from './concern-limits.ts'

/** Keys near their quota of today, or past it, and keys near their end. */
export async function keyConcerns(deps: ConcernDeps): Promise<readonly Concern[]> {
  const { store, clock, config, keysMax = subjectsMax } = deps
  const nowMs = clock.now()
  const busy = await store.busyKeys.nearQuota({
    day: utcDay(nowMs),
    nowMs,
    generalQuota: config.KEY_DAILY_QUOTA,
    percent: quotaPercentSoon,
    limit: keysMax,
  })
  const span = { afterMs: nowMs, upToMs: nowMs + keyEndSoonDays * dayMs }
  const ending = await store.keyList.ending('first', span, keysMax)
  return [
    ...busy.map((key) => quotaConcern(deps, key, nowMs)),
    ...ending.map((key) => endConcern(key, nowMs)),
  ]
}

function quotaConcern({ config }: ConcernDeps, key: BusyKey, nowMs: number): Concern {
  const { id, used } = key
  const limit = dailyLimitOf(key, config.KEY_DAILY_QUOTA, nowMs) ?? 0
  const isUsedUp = used >= limit
  const percent = isUsedUp ? 100 : quotaPercentSoon
  return {
    kind: 'key_quota',
    id: `key_quota:${id}:${utcDay(nowMs)}:${percent}`,
    level: isUsedUp ? 'now' : 'soon',
    subject: nameOf(key),
    text: isUsedUp
      ? `${nameOf(key)} has used up its ${formatCount(limit)} calls of today.`
      : `${nameOf(key)} has used ${formatCount(used)} of its ${formatCount(limit)} calls of today.`,
    path: `/admin/keys/${id}`,
    values: { key: id, name: key.name, used, limit, percent },
  }
}

function endConcern(key: KeyRow, nowMs: number): Concern {
  const endMs = key.expiresAtMs ?? nowMs
  return {
    kind: 'key_end',
    id: `key_end:${key.id}:${endMs}`,
    level: 'soon',
    subject: nameOf(key),
    text: `${nameOf(key)} ends in ${formatTimeLeft(endMs - nowMs)}.`,
    path: `/admin/keys/${key.id}`,
    values: { key: key.id, name: key.name, expires_at: new Date(endMs).toISOString() },
  }
}

function nameOf({ name, id }: KeyRow): string {
  return name || id
}
