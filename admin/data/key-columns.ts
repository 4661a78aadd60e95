import { keyLookOf, lookNames } from '../../src/access/key-look.ts'
import type { KeyRow } from '../../src/store/keys.ts'

type KeyColumn = readonly [name: string, read: (key: KeyRow) => string | number | null]

/** Columns of an export of keys: everything but secrets. */
export const keyColumns: readonly KeyColumn[] = [
  ['id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['created', ({ createdAtMs }) => isoTimeOf(createdAtMs)],
  ['revoked', ({ revokedAtMs }) => isoTimeOf(revokedAtMs)],
  ['daily_quota', ({ dailyQuota }) => dailyQuota],
  ['unlimited_until', ({ unlimitedUntilMs }) => isoTimeOf(unlimitedUntilMs)],
  ['expires', ({ expiresAtMs }) => isoTimeOf(expiresAtMs)],
  ['secret_version', ({ version }) => version],
  ['site', ({ siteId }) => siteId],
  ['hosts', ({ hosts }) => hosts],
  ['assets', ({ assets }) => assets],
  ['notes', ({ notes }) => notes],
  ...lookNames.map((name): KeyColumn => [name, (key) => keyLookOf(key)[name] ?? null]),
]

/** The last second of the year 9999: `forever` is later, and ISO 8601 needs more digits for it. */
const isoTimeMsMax = 253_402_300_799_000

export function isoTimeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(Math.min(ms, isoTimeMsMax)).toISOString()
}
