import type { KeyRow } from '../store/keys.ts'

/** For how many days a key can be issued. */
export const keyDaysMax = 3_650

/** Why a key grants nothing. */
export type KeyFault = 'unknown_key' | 'revoked_key' | 'ended_key'

/**
 * Returns why a key grants nothing now; undefined if it may. Time alone ends a key, so this is asked at each use, however
 * the key became known: a cached one has the same row after its end as before.
 */
export function keyFault(key: KeyRow | undefined, nowMs: number): KeyFault | undefined {
  if (key === undefined) return 'unknown_key'
  if (key.revokedAtMs !== null) return 'revoked_key'
  return hasEnded(key, nowMs) ? 'ended_key' : undefined
}

/** Whether the time of a key is over. */
export function hasEnded({ expiresAtMs }: Pick<KeyRow, 'expiresAtMs'>, nowMs: number): boolean {
  return expiresAtMs !== null && nowMs >= expiresAtMs
}
