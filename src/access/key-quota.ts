import type { KeyRow } from '../store/keys.ts'

/** How many calls a UTC day the key has. Null: without limit. */
export function dailyLimitOf(key: KeyRow, general: number, nowMs: number): number | null {
  return isUnlimited(key, nowMs) ? null : (key.dailyQuota ?? general)
}

export function isUnlimited({ unlimitedUntilMs }: KeyRow, nowMs: number): boolean {
  return unlimitedUntilMs !== null && nowMs < unlimitedUntilMs
}

/** Whether a stranger was issued the key, and nobody has named, limited or paid for it since. */
export function isStrangers({
  name,
  notes,
  dailyQuota,
  unlimitedUntilMs,
}: Pick<KeyRow, 'name' | 'notes' | 'dailyQuota' | 'unlimitedUntilMs'>): boolean {
  return name === '' && notes === '' && dailyQuota === null && unlimitedUntilMs === null
}

/** Drawings a UTC day for each call of the key's quota, because a page's picture is loaded by many who have no copy of it. */
const drawingsPerCall = 20

/**
 * How many drawings of signed addresses a key has a UTC day. Null: without limit.
 * @param dailyQuota the calls that the key has a day
 * @param general what the operator set for all keys
 */
export function dailyDrawingsOf(dailyQuota: number | null, general: number | undefined): number | null {
  return dailyQuota === null ? null : (general ?? dailyQuota * drawingsPerCall)
}
