import type { PaymentRow } from '../../store/payment-row.ts'
import type { AuthorizationReference } from '../chain/settlement-finder.ts'
import type { Hex } from '../payment-settings.ts'

/** The authorization of a stored payment, as the chain identifies it. */
export function authorizationReferenceOf({
  payer,
  nonce,
  amountMicros,
  asset,
  payTo,
}: PaymentRow): AuthorizationReference {
  const ours = { asset: asset as Hex, payTo: payTo as Hex }
  return { payer: payer as Hex, nonce: (nonce ?? '0x') as Hex, amountMicros, ...ours }
}
