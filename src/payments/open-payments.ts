import { hkdfSync } from 'node:crypto'
import type { Asset } from '../assets/kit/asset.ts'
import { type Config, withPrice } from '../config.ts'
import type { SharedAddressWatch } from '../lib/client-addresses.ts'
import { refuse } from './payment-reasons.ts'
import type { RecordContext } from './payment-settings.ts'
import type { Payments } from './payments.ts'
import type { Offer } from './wire/payment-terms.ts'

interface OpenOptions extends RecordContext {
  readonly clients: SharedAddressWatch
  readonly processes?: number | undefined
  readonly config: Config
  /** Assets for sale, beside the upgrade of a key. */
  readonly assets: readonly Asset[]
  readonly masterKey: Uint8Array
}

/** Undefined without a wallet, and then the chain's library is not loaded. Throws when settings contradict one another. */
export async function openPayments({
  config,
  assets,
  masterKey,
  ...deps
}: OpenOptions): Promise<Payments | undefined> {
  if (config.X402_PAY_TO === undefined) return undefined
  const [{ createPayments }, { readPaymentSettings }] = await Promise.all([
    import('./create-payments.ts'),
    import('./payment-settings.ts'),
  ])
  const settings = readPaymentSettings(config)
  const secret = new Uint8Array(hkdfSync('sha256', masterKey, '', 'mintmark payments', 32))
  const prices = assets.flatMap((asset) => withPrice(asset, config).priceMicros ?? [])
  const lowestPriceMicros = Math.min(config.UPGRADE_PRICE, ...prices)
  return settings && (await createPayments({ ...deps, settings, secret, describe, lowestPriceMicros }))

  function describe(endpoint: string): Pick<Offer, 'description' | 'mimeType'> {
    const asset = assets.find(({ id }) => id === endpoint)
    if (asset !== undefined)
      return { description: asset.summary, mimeType: asset.mediaTypes[0] ?? 'application/json' }
    return { description: 'Remove the daily quota of one API key', mimeType: 'application/json' }
  }
}

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

type Links = Pick<Config, 'UPGRADE_PAYMENT_LINK' | 'DONATION_LINKS'>

export function insteadOfPaying({ UPGRADE_PAYMENT_LINK, DONATION_LINKS }: Links): string {
  const page = UPGRADE_PAYMENT_LINK === undefined ? '' : `; so does the page ${UPGRADE_PAYMENT_LINK}`
  const donations = DONATION_LINKS.map(({ name, url }) => `${name}, ${url}`).join('; ')
  return [
    `There is nothing to pay here. The operator lifts the quota of a key${page}.`,
    ...(donations === '' ? [] : [`Donations are welcome: ${donations}.`]),
  ].join(' ')
}
