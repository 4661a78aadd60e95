import { Elysia } from 'elysia'
import type { Authorization, AuthorizationRequest } from '../access/authorization.ts'
import { createPaymentStrategy } from '../access/authorizer.ts'
import { forever, keyFault } from '../access/keys.ts'
import { Problem } from '../errors.ts'
import { readQuery } from '../http/query.ts'
import { RequestToAuthorize, refusedResponse } from '../http/refused-response.ts'
import { contextOf, type RequestContext } from '../http/request-context.ts'
import { json } from '../http/responses.ts'
import { queryOf } from '../http/router.ts'
import { dayMs } from '../lib/clock.ts'
import { inTurn } from '../lib/cooperative-scheduler.ts'
import { formatMicros } from '../lib/human-format.ts'
import type { Parts } from '../parts.ts'
import { keyLock } from '../payments/ledger/claims.ts'
import { insteadOfPaying } from '../payments/open-payments.ts'
import { noTerms, paymentRequiredBody } from '../payments/payments.ts'
import { operation } from '../site/openapi/operation.ts'
import type { KeyRow } from '../store/keys.ts'
import { keyIdQuery } from './keys.ts'
import unusable from './unusable-keys.json' with { type: 'json' }

const endpoint = 'upgrade'

/** `GET /api/upgrade` lists how a key's quota can be lifted, `POST /api/upgrade` lifts it for a payment. */
export function apiUpgrade(parts: Parts) {
  const isPaid = parts.payments !== undefined
  const instead = insteadOfPaying(parts.config)
  const ways = isPaid ? 'The ways to lift the quota of a key.' : `What lifts the quota of a key. ${instead}`
  const lift = isPaid ? 'Lifts the quota of a key, for a payment.' : `Lifts no quota. ${instead}`
  return new Elysia({ name: 'api-upgrade' })
    .get(
      '/api/upgrade',
      ({ request }) => json(upgradeOptions(parts, contextOf(request))),
      operation('payments', 'upgradeWays', ways, { schema: 'UpgradeWays' }),
    )
    .post('/api/upgrade', ({ query, request }) => upgrade(parts, query.key, contextOf(request)), {
      parse: ({ request }) => bodyAsQuery(request),
      // Query and body are read together, so that two keys are a mistake and not a choice.
      query: queryOf(keyIdQuery, ({ rawQuery }, body) => readQuery(keyIdQuery, `${rawQuery}&${body}`)),
      ...operation('payments', 'upgradeKey', lift, {
        schema: 'Upgraded',
        problems: [
          'invalid_query',
          'invalid_body',
          'unknown_key',
          ...(isPaid ? (['payments_unavailable', 'payment_identifier_used'] as const) : []),
        ],
        canCost: true,
      }),
    })
}

function upgradeOptions({ config, payments }: Parts, { baseUrl }: RequestContext) {
  const { UPGRADE_PRICE, X402_ASSET, X402_NETWORK, UPGRADE_PAYMENT_LINK, DONATION_LINKS } = config
  const how = `POST ${baseUrl}/api/upgrade?key=<id>: without a payment it answers 402 with what to pay`
  const price = formatMicros(UPGRADE_PRICE)
  const x402 = { type: 'x402', price, asset: X402_ASSET ?? 'USDC', network: X402_NETWORK, how }
  const paths = [
    ...(payments === undefined ? [] : [x402]),
    ...(UPGRADE_PAYMENT_LINK === undefined ? [] : [{ type: 'payment_link', url: UPGRADE_PAYMENT_LINK }]),
    ...DONATION_LINKS.map(({ name, url }) => ({ type: 'donation', name, url })),
  ]
  const first = paths[0]?.type ?? null
  return { default: first, paths, ...(payments === undefined && { detail: insteadOfPaying(config) }) }
}

/** Lifts the quota in the same transaction that records the payment, so that neither is ever there without the other. */
async function upgrade(parts: Parts, id: string, context: RequestContext): Promise<Response> {
  const key = await findUsableKey(parts, id)
  const priced = new RequestToAuthorize(context, parts.config.UPGRADE_PRICE, endpoint)
  const paid = Object.assign(priced, { subject: key.id })
  const outcome = await authorize(parts, paid)
  if (!outcome.granted) return refuse(parts, context, outcome, paid)
  try {
    const untilMs = liftedUntilMs(parts, key)
    const expires = untilMs === forever ? null : new Date(untilMs).toISOString()
    const body = { key: key.id, plan: 'unlimited', unlimited_until: expires }
    const answer = json(body, { 'cache-control': 'private, no-store', 'x-auth-mode': 'payment' })
    if (key.unlimitedUntilMs === forever) {
      await outcome.refund()
      answer.headers.set('x-payment-status', 'not-charged')
      return answer
    }
    function* lift() {
      // Another payment for the same key may have come meanwhile.
      const now = (yield* parts.keys.find(key.id)) ?? key
      yield* parts.keys.upgrade(key.id, liftedUntilMs(parts, now))
    }
    const delivery = { steps: lift, locks: [keyLock(key.id)] }
    const isHeard = () => !context.request.signal.aborted
    const sent = await (outcome.payment?.capture(answer, isHeard, delivery) ?? answer)
    if (!sent.ok) await outcome.refund()
    return sent
  } catch (error) {
    await outcome.refund()
    throw error
  }
}

function liftedUntilMs({ config, clock }: Parts, { unlimitedUntilMs }: KeyRow): number {
  if (config.UPGRADE_DAYS === 0 || unlimitedUntilMs === forever) return forever
  return Math.max(clock.now(), unlimitedUntilMs ?? 0) + config.UPGRADE_DAYS * dayMs
}

async function findUsableKey({ keys, clock }: Parts, id: string) {
  const key = await keys.find(id)
  const fault = keyFault(key, clock.now())
  if (key === undefined || fault !== undefined)
    throw new Problem('unknown_key', unusable[fault ?? 'unknown_key'])
  return key
}

async function bodyAsQuery(request: Request): Promise<string> {
  const contentType = request.headers.get('content-type')?.toLowerCase() ?? ''
  if (contentType.startsWith('multipart/form-data')) return partsAsQuery(request)
  const text = await request.text()
  if (!contentType.includes('json')) return text
  try {
    const key: unknown = (await inTurn(() => JSON.parse(text)))?.key
    return typeof key === 'string' ? String(new URLSearchParams({ key })) : ''
  } catch {
    throw new Problem('invalid_body', 'The body is not JSON.')
  }
}

async function partsAsQuery(request: Request): Promise<string> {
  const parts = await request.formData().catch(() => {
    throw new Problem('invalid_body', 'The body is not the form that it says.')
  })
  return String(new URLSearchParams(parts.getAll('key').map((key) => ['key', String(key)])))
}

type UpgradeRequest = AuthorizationRequest & { readonly subject: string }

async function authorize(parts: Parts, request: UpgradeRequest): Promise<Authorization> {
  const pay = createPaymentStrategy(parts.meter, parts.paymentAuthorizer)
  const answer = await pay(request, { demo: false })
  if (answer !== undefined && 'granted' in answer) return answer
  const given = answer ?? { code: 'payment_required', detail: 'Lifting a key’s quota costs a payment.' }
  const instead = { code: given.code, detail: insteadOfPaying(parts.config) }
  return { granted: false, error: 'refused', refusal: parts.payments === undefined ? instead : given }
}

/** The 402 of any call, with a link to the payment page if there is one. */
async function refuse(
  parts: Parts,
  context: RequestContext,
  refused: Exclude<Authorization, { granted: true }>,
  request: UpgradeRequest,
) {
  const termsFor = (code: string) => parts.payments?.terms(request, code) ?? noTerms
  const response = refusedResponse(refused, context, termsFor)
  const { UPGRADE_PAYMENT_LINK } = parts.config
  if (response.status !== 402 || UPGRADE_PAYMENT_LINK === undefined) return response
  const link = new URL(UPGRADE_PAYMENT_LINK)
  link.searchParams.set('client_reference_id', request.subject)
  const body: object = await response.json()
  const { status, headers } = response
  return new Response(JSON.stringify({ ...body, payment_link: String(link) }), { status, headers })
}

/** `GET /api/payment-required` and `/.well-known/x402`: every price and how to pay it, for programs that look before they call. */
export function paymentPrices(parts: Parts) {
  const isPaid = parts.payments !== undefined
  const terms = isPaid ? 'The 402 of every priced call in one.' : insteadOfPaying(parts.config)
  const forSale = 'What is for sale, for programs that look around.'
  return new Elysia({ name: 'payment-prices' })
    .get(
      '/api/payment-required',
      ({ request }) => json(requirements(parts, contextOf(request).baseUrl)),
      operation('payments', 'paymentTerms', terms, { schema: 'PaymentRequired' }),
    )
    .get(
      '/.well-known/x402',
      ({ request }) => json(discovery(parts, contextOf(request).baseUrl)),
      isPaid ? operation('payments', 'x402Discovery', forSale, { schema: 'Discovery' }) : {},
    )
}

function requirements(parts: Parts, baseUrl: string) {
  const all = resources(parts, baseUrl).flatMap(
    (call) => parts.payments?.terms(call, 'payment_required') ?? [],
  )
  const accepts = all.flatMap((terms) => terms.accepts)
  const about = 'What calls cost and how to pay for them. Each answers 402 with the same for itself.'
  const detail = parts.payments === undefined ? insteadOfPaying(parts.config) : about
  const terms = { accepts, transfer: all[0]?.transfer, headers: {} }
  const body = paymentRequiredBody({ code: 'payment_required', detail, baseUrl, terms })
  return { ...body, docs: `${baseUrl}/docs#payments` }
}

function discovery(parts: Parts, baseUrl: string) {
  const { payments } = parts
  const priced = resources(parts, baseUrl).filter(({ method }) => method === 'GET')
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
function resources({ config, assets, payments }: Parts, baseUrl: string) {
  if (payments?.canSell() !== true) return []
  const priced = assets.flatMap(({ asset: { id, path, priceMicros, summary } }) => {
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
