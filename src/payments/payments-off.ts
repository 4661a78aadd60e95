import { reasons } from './ledger/reasons.ts'

const paymentHeaders = ['x-payment', 'payment-signature', 'sign-in-with-x']

/** What stands in for payments while no wallet is configured: an offered payment is refused, not ignored. */
export const paymentsOff = {
  async charge({ headers }: { readonly headers: Headers }) {
    const isOffered =
      paymentHeaders.some((name) => headers.has(name)) ||
      /^payment\s/i.test(headers.get('authorization') ?? '')
    if (!isOffered) return { kind: 'none' } as const
    return { kind: 'refused', refusal: { code: 'payments_off', detail: reasons.payments_off } } as const
  },
}
