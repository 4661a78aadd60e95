import { dailyLimitOf } from '../access/key-quota.ts'
import { dayMs, isoDay, utcDay } from '../lib/clock.ts'
import { formatCount, formatTimeLeft } from '../lib/human-format.ts'
import type { BusyKey, KeyRow } from '../store/keys.ts'
import type { Concern } from './concern.ts'
import type { ConcernDeps } from './concern-deps.ts'
import {
  alertedKeysMax,
  digestDelayMs,
  keyEndSoonDays,
  publicKeysMax,
  quotaPercentSoon,
  subjectsMax,
} from './concern-limits.ts'

/** Known keys near their quota of today, or past it, known keys near their end, and all keys of strangers in one. */
export async function keyConcerns(deps: ConcernDeps): Promise<readonly Concern[]> {
  const { store, clock, config, isForAlerts = false } = deps
  const nowMs = clock.now()
  const keysMax = isForAlerts ? alertedKeysMax : subjectsMax
  const busy = await store.busyKeys.nearQuota({
    day: utcDay(nowMs),
    nowMs,
    generalQuota: config.KEY_DAILY_QUOTA,
    percent: quotaPercentSoon,
    limit: keysMax,
  })
  const span = { afterMs: nowMs, upToMs: nowMs + keyEndSoonDays * dayMs }
  const ending = await store.keyList.ending('firstKnown', span, keysMax)
  return [
    ...busy.map((key) => quotaConcern(deps, key, nowMs)),
    ...ending.map((key) => endConcern(key, nowMs)),
    ...(await publicKeysConcern(deps, nowMs)),
  ]
}

/**
 * Keys that nobody named or paid for, and that have used up their quota: on the overview those of today, in alerts those of
 * yesterday from 00:05 UTC on, because strangers could cause any number of alerts.
 */
async function publicKeysConcern(deps: ConcernDeps, nowMs: number): Promise<readonly Concern[]> {
  const { store, config, isForAlerts = false } = deps
  const today = utcDay(nowMs)
  if (isForAlerts && nowMs - today * dayMs < digestDelayMs) return []
  const day = isForAlerts ? today - 1 : today
  const limit = config.KEY_DAILY_QUOTA
  const count = await store.busyKeys.unknownUsedUp({ day, nowMs, generalQuota: limit }, publicKeysMax)
  if (count === 0) return []
  const subject = `${formatCount(count)} ${count === 1 ? 'key' : 'keys'} that nobody named or paid for`
  const when = isForAlerts ? isoDay(day) : 'today'
  return [
    {
      kind: 'public_keys',
      id: `public_keys:${day}`,
      level: 'soon',
      subject,
      text: `${subject} used up ${count === 1 ? 'its' : 'their'} ${formatCount(limit)} calls of ${when}.`,
      path: '/admin/keys?sort=used',
      values: { keys: count, limit, day: isoDay(day) },
    },
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
