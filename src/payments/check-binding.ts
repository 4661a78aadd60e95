import type { PaymentRow } from '../store/payment-row.ts'
import type { PaymentContext } from './payment-context.ts'
import { type PaymentRefusal, refuse } from './payment-reasons.ts'
import type { Purchase } from './purchase.ts'
import { bindingFor } from './wire/request-binding.ts'

/**
 * Whether money that everybody can see on chain may buy the request without its payer's proof: if it is bound, only its
 * own request; if not, any below the price that needs a proof.
 */
export function checkBinding(
  { binding }: Pick<PaymentRow, 'binding'>,
  purchase: Purchase,
  { settings, secret }: Pick<PaymentContext, 'settings' | 'secret'>,
): PaymentRefusal | undefined {
  if (binding === null) {
    return purchase.priceMicros >= settings.proofFromMicros ? refuse('proof_required') : undefined
  }
  return binding === bindingFor(purchase, secret) ? undefined : refuse('payment_bound_to_other_request')
}
