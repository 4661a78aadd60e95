import { refuse } from './payment-reasons.ts'
import type { Payments } from './payments.ts'

const paymentHeaders = ['x-payment', 'payment-signature']

/** Payments of a server without a wallet: an offered payment is refused, not ignored. */
export const paymentsOff: Pick<Payments, 'authorize'> = {
  async authorize({ headers }) {
    const isOffered =
      paymentHeaders.some((name) => headers.has(name)) ||
      /^payment\s/i.test(headers.get('authorization') ?? '')
    return isOffered ? refuse('payments_off') : { kind: 'none' }
  },
}
