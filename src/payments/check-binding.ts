import type { PaymentRow } from '../store/payment-row.ts'
import { checkValidity } from './check-authorization.ts'
import type { PaymentContext } from './payment-context.ts'
import { type PaymentRefusal, refuse } from './payment-reasons.ts'
import type { Purchase } from './purchase.ts'
import type { OfferedAuthorization } from './wire/parse-payment.ts'
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

/**
 * Whether an authorization whose money is here may buy the request, of which everybody can read the signature on chain.
 * While it is valid it is its bearer's, for whatever it was shown before.
 */
export function checkShown(
  { binding }: Pick<PaymentRow, 'binding'>,
  offered: OfferedAuthorization,
  purchase: Purchase,
  deps: Pick<PaymentContext, 'settings' | 'secret' | 'clock'>,
): PaymentRefusal | undefined {
  const isForOther = binding !== bindingFor(purchase, deps.secret)
  const isForAny = isForOther && checkValidity(offered, deps.clock.now()) === undefined
  return checkBinding({ binding: isForAny ? null : binding }, purchase, deps)
}
