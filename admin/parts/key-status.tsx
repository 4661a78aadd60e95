/** @jsxImportSource #jsx */
import type { Markup } from '../../src/lib/jsx/markup.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import type { KeyDays } from '../data/key-days.ts'
import { pill } from './pill.tsx'

/** The state of a key in one word. */
export function keyStatus(key: KeyRow, { usedToday, limit, isIdle }: KeyDays): Markup {
  if (key.revokedAtMs !== null) return pill('Revoked', 'plain')
  if (limit === null) return pill('Unlimited', 'ok')
  if (usedToday >= limit) return pill('Exhausted', 'bad')
  return isIdle ? pill('Idle', 'plain') : pill('Active', 'ok')
}
