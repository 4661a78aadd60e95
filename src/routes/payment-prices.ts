import { Elysia } from 'elysia'
import type { Asset } from '../assets/kit/asset.ts'
import type { Config } from '../config.ts'
import { contextOf } from '../http/request-context.ts'
import { json } from '../http/responses.ts'
import { formatMicros } from '../lib/human-format.ts'
import { insteadOfPaying } from '../payments/open-payments.ts'
import type { Payments } from '../payments/payments.ts'
import { paymentRequiredBody } from '../payments/wire/payment-required.ts'
import { operation } from '../site/openapi/operation.ts'

interface Deps {
  readonly config: Pick<Config, 'UPGRADE_PRICE' | 'UPGRADE_PAYMENT_LINK' | 'DONATION_LINKS'>
  readonly assets: readonly Asset[]
  readonly payments: Pick<Payments, 'terms' | 'canSell'> | undefined
}

/** `GET /api/payment-required` and `/.well-known/x402`: every price and how to pay it, for programs that look before they call. */
export function paymentPrices(deps: Deps) {
  const isPaid = deps.payments !== undefined
  const terms = isPaid ? 'The 402 of every priced call in one.' : insteadOfPaying(deps.config)
  const forSale = 'What is for sale, for programs that look around.'
  return new Elysia({ name: 'payment-prices' })
    .get(
      '/api/payment-required',
      ({ request }) => json(requirements(deps, contextOf(request).baseUrl)),
      operation('payments', 'paymentTerms', terms, { schema: 'PaymentRequired' }),
    )
    .get(
      '/.well-known/x402',
      ({ request }) => json(discovery(deps, contextOf(request).baseUrl)),
      isPaid ? operation('payments', 'x402Discovery', forSale, { schema: 'Discovery' }) : {},
    )
}

function requirements(deps: Deps, baseUrl: string) {
  const all = resources(deps, baseUrl).flatMap((call) => deps.payments?.terms(call, 'payment_required') ?? [])
  const accepts = all.flatMap((terms) => terms.accepts)
  const about = 'What calls cost and how to pay for them. Each answers 402 with the same for itself.'
  const detail = deps.payments === undefined ? insteadOfPaying(deps.config) : about
  const terms = { accepts, transfer: all[0]?.transfer, headers: {} }
  const body = paymentRequiredBody({ code: 'payment_required', detail, baseUrl, terms })
  return { ...body, docs: `${baseUrl}/docs#payments` }
}

function discovery(deps: Deps, baseUrl: string) {
  const { payments } = deps
  const priced = resources(deps, baseUrl).filter(({ method }) => method === 'GET')
  return {
    version: 1,
    resources: priced.map(({ url }) => url),
    items: priced.map(({ url, method, priceMicros: price, summary }) => ({
      resource: url,
      type: 'http',
      method,
      price: formatMicros(price),
      description: summary,
    })),
    accepts: priced.flatMap((call) => payments?.terms(call, 'payment_required').accepts ?? []),
    instructions: `${baseUrl}/docs#payments`,
  }
}

/** Resources that are for sale: none while no wallet is configured, or while the token does not fit the settings. */
function resources({ config, assets, payments }: Deps, baseUrl: string) {
  if (payments?.canSell() !== true) return []
  const priced = assets.flatMap(({ id, path, priceMicros, summary }) => {
    if (priceMicros === undefined) return []
    return [{ method: 'GET', url: `${baseUrl}${path}`, priceMicros, endpoint: id, summary }]
  })
  const upgrade = {
    method: 'POST',
    url: `${baseUrl}/api/upgrade`,
    priceMicros: config.UPGRADE_PRICE,
    endpoint: 'upgrade',
    summary: 'Lift the daily quota of one key',
  }
  return [...priced, upgrade]
}
