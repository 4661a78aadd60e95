import type { PaymentTransition } from '../../store/payment-transitions.ts'
import type { PaymentContext } from '../payment-settings.ts'

/**
 * Changes a payment's state in a durable transaction. Returns false, and changes nothing, if the payment is no longer
 * what the step was decided on.
 */
export function transition(
  { store, clock }: Pick<PaymentContext, 'store' | 'clock'>,
  paymentId: string,
  step: Timeless<PaymentTransition>,
): Promise<boolean> {
  const dated = { ...step, nowMs: clock.now() }
  return store.transaction(() => store.payments.transition(paymentId, dated), { durable: true })
}

type Timeless<Step> = Step extends unknown ? Omit<Step, 'nowMs'> : never
