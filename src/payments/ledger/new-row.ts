import type { Clock } from '../../lib/clock.ts'
import type { NewAuthorization } from '../../store/payment-row.ts'
import { newId } from './claims.ts'

/** Columns that the ledger fills in by itself. */
export type Bookkeeping = 'id' | 'createdAtMs' | 'updatedAtMs' | 'spentMicros'
export type AuthorizationEntry = Omit<NewAuthorization, Bookkeeping>

export function newRow(clock: Clock) {
  const nowMs = clock.now()
  return { id: newId('pay'), createdAtMs: nowMs, updatedAtMs: nowMs }
}
