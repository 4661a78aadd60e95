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

interface Links {
  readonly UPGRADE_PAYMENT_LINK: string | undefined
  readonly DONATION_LINKS: readonly { readonly name: string; readonly url: string }[]
}

/** Returns the alternatives where payments are off, as sentences for people. */
export function insteadOfPaying({ UPGRADE_PAYMENT_LINK, DONATION_LINKS }: Links): string {
  const page = UPGRADE_PAYMENT_LINK === undefined ? '' : `; so does the page ${UPGRADE_PAYMENT_LINK}`
  const donations = DONATION_LINKS.map(({ name, url }) => `${name}, ${url}`).join('; ')
  return [
    `There is nothing to pay here. The operator lifts the quota of a key${page}.`,
    ...(donations === '' ? [] : [`Donations are welcome: ${donations}.`]),
  ].join(' ')
}
