import { createHash } from 'node:crypto'
import { formatMicros } from '../../lib/human-format.ts'
import { confirmationsFor, type PaymentSettings, type TermsContext, toAtomic } from '../payment-settings.ts'
import type { PaymentTerms } from '../payments.ts'
import { encodeJson, mppChallenge } from './mpp.ts'
import { dataSuffixFor, type PricedRequest, proofText } from './request-binding.ts'

export interface Offer extends PricedRequest {
  /** ASCII, at most 200 characters are shown. */
  readonly description: string
  readonly mimeType: string
}

interface OfferContext extends TermsContext {
  readonly takesExact: boolean
  readonly nowMs: number
}

/** `error` is why the 402 is sent: headers repeat it. */
export function paymentTerms(offer: Offer, error: string, deps: OfferContext): PaymentTerms {
  const { settings, takesExact, secret } = deps
  const isForV1 = takesExact && settings.v1Network !== undefined
  return {
    accepts: isForV1 ? [acceptV1(offer, settings)] : [],
    transfer: settings.rpc.urls.length === 0 ? undefined : describeTransfer(offer, error, settings, secret),
    headers: takesExact ? exactHeaders(offer, error, deps) : {},
  }
}

/** The payment requirements of x402 v2: a client repeats them, and a facilitator gets them. */
export function exactTerms(priceMicros: number, settings: PaymentSettings) {
  const { network, asset, payTo, maxTimeoutSeconds } = settings
  return {
    scheme: 'exact',
    network,
    amount: String(toAtomic(priceMicros, asset)),
    asset: asset.address,
    payTo,
    maxTimeoutSeconds,
    extra: { name: asset.name, version: asset.version },
  }
}

export function acceptV1(offer: Offer, settings: PaymentSettings): Record<string, unknown> {
  const { scheme, network, amount, asset, extra, ...terms } = exactTerms(offer.priceMicros, settings)
  return {
    scheme,
    network: settings.v1Network ?? network,
    maxAmountRequired: amount,
    resource: offer.url,
    description: describe(offer),
    mimeType: offer.mimeType,
    ...terms,
    asset,
    extra,
  }
}

const headerUrlMax = 640

/** A long URL is named by its query's digest: all headers of a 402 together must stay below what clients accept. */
export function headerUrl(url: string): string {
  if (url.length <= headerUrlMax) return url
  const { origin, pathname, search } = new URL(url)
  return `${origin}${pathname}#query-sha256=${createHash('sha256').update(search).digest('base64url')}`
}

function exactHeaders(offer: Offer, error: string, { nowMs, ...context }: OfferContext) {
  const { settings } = context
  const required = {
    x402Version: 2,
    error,
    resource: { url: headerUrl(offer.url), description: describe(offer), mimeType: offer.mimeType },
    accepts: [exactTerms(offer.priceMicros, settings)],
    extensions: { 'payment-identifier': { info: { required: false }, schema: paymentIdentifierSchema } },
  }
  const headers = { 'PAYMENT-REQUIRED': encodeJson(required, 'base64') }
  if (!settings.mpp) return headers
  return { ...headers, 'WWW-Authenticate': mppChallenge(offer, context, nowMs) }
}

const paymentIdentifierSchema = {
  type: 'object',
  properties: {
    required: { type: 'boolean' },
    id: { type: 'string', minLength: 16, maxLength: 128, pattern: '^[a-zA-Z0-9_-]+$' },
  },
  required: ['required'],
}

function describeTransfer(offer: Offer, error: string, settings: PaymentSettings, secret: Uint8Array) {
  const { asset, payTo, network, chainId, maxAgeMs } = settings
  // Several payers in one transaction need a proof whatever the price.
  const isRequired = offer.priceMicros >= settings.proofFromMicros || error === 'proof_required'
  // To be completed by the payer once the transfer is sent.
  const message = proofText({ txHash: '0x<txHash>', chainId, payTo, request: offer, issuedSeconds: '<t>' })
  return {
    method: 'erc20-transfer',
    header: 'X-Payment: 0x<txHash>',
    network,
    chainId,
    asset: asset.address,
    symbol: asset.symbol,
    decimals: asset.decimals,
    payTo,
    amount: String(toAtomic(offer.priceMicros, asset)),
    amountDecimal: formatMicros(offer.priceMicros),
    confirmations: confirmationsFor(settings, offer.priceMicros),
    maxAgeSeconds: maxAgeMs / 1000,
    proof: {
      header: 'X-Payment-Proof',
      required: isRequired,
      formats: ['eip191', 'dataSuffix'],
      dataSuffix: dataSuffixFor(offer, secret),
      ...(isRequired && { message, how: howToProve }),
    },
  }
}

const howToProve =
  'Append dataSuffix to the calldata of the transfer. Or send X-Payment-Proof: t=<unix seconds>,sig=0x<signature>, the personal_sign (EIP-191) of the message by the wallet that paid, with the hash and the same t put in. Or pay with a signed authorization (x402), which needs no proof.'

function describe({ description }: Offer): string {
  return description.replace(/[^\x20-\x7e]/g, '').slice(0, 200)
}
