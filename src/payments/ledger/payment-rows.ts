import type { Clock } from '../../lib/clock.ts'
import type { NewAuthorization } from '../../store/payment-row.ts'
import type { PaymentTransition } from '../../store/payment-transitions.ts'
import type { RecordContext } from '../payment-settings.ts'
import { newId } from './claims.ts'

/** Columns that the ledger fills in by itself. */
export type Bookkeeping = 'id' | 'createdAtMs' | 'updatedAtMs' | 'spentMicros'
export type AuthorizationEntry = Omit<NewAuthorization, Bookkeeping>

export function newRow(clock: Clock) {
  const nowMs = clock.now()
  return { id: newId('pay'), createdAtMs: nowMs, updatedAtMs: nowMs }
}

/**
 * Changes a payment's state in a durable transaction. Returns false, and changes nothing, if the payment is no longer
 * what the step was decided on.
 */
export function transition(
  { store, clock }: RecordContext,
  paymentId: string,
  step: Timeless<PaymentTransition>,
): Promise<boolean> {
  const dated = { ...step, nowMs: clock.now() }
  return store.transaction(() => store.payments.transition(paymentId, dated), { durable: true })
}

type Timeless<Step> = Step extends unknown ? Omit<Step, 'nowMs'> : never
