/** @jsxImportSource #jsx */
import type { Markup } from '../../src/lib/jsx/markup.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import { pill } from './stat-row.tsx'

export interface KeyUse {
  readonly usedToday: number
  /** Null: as much as it likes. */
  readonly limit: number | null
  /** Whether it lay unused for the last thirty days. */
  readonly isIdle: boolean
}

/** One word about a key. */
export function keyStatus(key: KeyRow, { usedToday, limit, isIdle }: KeyUse): Markup {
  if (key.revokedAtMs !== null) return pill('Revoked', 'plain')
  if (limit === null) return pill('Unlimited', 'ok')
  if (usedToday >= limit) return pill('Exhausted', 'bad')
  return isIdle ? pill('Idle', 'plain') : pill('Active', 'ok')
}
