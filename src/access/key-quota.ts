import type { KeyRow } from '../store/keys.ts'

/** How many calls a UTC day the key has. Null: without limit. */
export function dailyLimitOf(key: KeyRow, general: number, nowMs: number): number | null {
  return isUnlimited(key, nowMs) ? null : (key.dailyQuota ?? general)
}

export function isUnlimited({ unlimitedUntilMs }: KeyRow, nowMs: number): boolean {
  return unlimitedUntilMs !== null && nowMs < unlimitedUntilMs
}
