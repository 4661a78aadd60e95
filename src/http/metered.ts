import type { AuthorizationRequest, Granted } from '../access/authorization.ts'
import type { Authorizer } from '../access/authorize.ts'
import type { ByteCache } from '../lib/cache.ts'
import type { Payments } from '../payments/payments.ts'
import type { Call, Producer, Product } from './calls.ts'
import { compress, type Encoding, isCompressible, negotiateEncoding } from './compression.ts'
import { matchingEtag } from './conditional.ts'
import type { Exchange } from './exchange.ts'
import { makeProduct } from './make-product.ts'
import { noTerms, type PaymentTerms } from './payment-required.ts'
import { headResponse, notModified, productResponse, withGrant } from './product-response.ts'
import { answerRefused } from './refused.ts'
import { targetOf } from './target.ts'

export interface MeteredDeps {
  readonly authorizer: Authorizer
  /** Finished answers, and their compressed forms. */
  readonly cache: ByteCache<Product>
  /** What one call of the asset costs, in micros. */
  readonly priceMicros: (assetId: string) => number
  /** Is told of a call whose answer was there already: it may come again. */
  readonly remember?: (call: Call, exchange: Exchange) => void
  /** How to pay, for the 402. Absent while no wallet is configured. */
  readonly payments?: Pick<Payments, 'terms'> | undefined
}

/**
 * Answers a valid call: authorize, charge, produce. What was charged and then failed on our side is given back.
 * A caller who already has the answer is told so before anything is charged. HEAD is validated and authorized like
 * GET; nothing is charged and nothing is made.
 */
export function createMetered({ authorizer, cache, priceMicros, remember, payments }: MeteredDeps) {
  async function answer(call: Call, exchange: Exchange): Promise<Response> {
    const { request, notes } = exchange
    const { producer } = call
    notes.asset = producer.asset.id
    if ('produce' in producer) {
      const etag = matchingEtag(request.headers.get('if-none-match'), call.tag)
      if (etag !== undefined) {
        remember?.(call, exchange)
        return notModified(call, etag, offersMoney(request))
      }
    }
    const authorization = await authorizer.authorize(authorizationRequest(call, exchange))
    if (!authorization.granted)
      return answerRefused(authorization, exchange, (error) => termsFor(error, call, exchange))
    notes.auth = authorization.mode
    const authorizedMs = performance.now()
    try {
      let response: Response
      if ('produce' in producer) {
        if (exchange.method === 'HEAD') response = head(producer, call, exchange, authorization)
        else {
          const making = produce(producer, call, exchange)
          const product = making instanceof Promise ? await making : making
          response = productResponse(call, product, authorization, exchange, timing(exchange, authorizedMs))
        }
        exchange.isFinished = authorization.charge === undefined
      } else {
        const live = await producer.answer(call.query, exchange, authorization)
        response = withGrant(live, authorization, timing(exchange, authorizedMs))
      }
      const { charge } = authorization
      if (charge === undefined) return response
      const sent = await charge.finish(response)
      // The money did not come after all: the call is not counted either.
      if (!sent.ok) await authorization.refund()
      return sent
    } catch (error) {
      await authorization.refund()
      throw error
    }
  }

  function authorizationRequest(call: Call, exchange: Exchange): AuthorizationRequest {
    const { request, method, path, rawQuery, baseUrl } = exchange
    const { id } = call.producer.asset
    return {
      method,
      path,
      rawQuery,
      credentials: call.credentials,
      headers: request.headers,
      url: baseUrl + targetOf(exchange),
      priceMicros: priceMicros(id),
      endpoint: id,
      get clientAddress() {
        return exchange.clientAddress
      },
    }
  }

  function termsFor(error: string, call: Call, exchange: Exchange): PaymentTerms {
    return payments?.terms(authorizationRequest(call, exchange), error) ?? noTerms
  }

  /** From the cache or made now, in the encoding that the caller takes. Each is made and compressed once. */
  function produce(producer: Producer, call: Call, exchange: Exchange): Product | Promise<Product> {
    const { request, notes } = exchange
    const known = cache.get(call.key)
    notes.cache = known === undefined ? 'miss' : 'hit'
    if (known !== undefined) remember?.(call, exchange)
    const plain = known ?? cache.getOrMake(call.key, () => makeProduct(producer, call, exchange))
    const encoding = negotiateEncoding(request.headers.get('accept-encoding'))
    return encoding === undefined ? plain : encode(call, plain, encoding)
  }

  async function encode(call: Call, plain: Product | Promise<Product>, encoding: Encoding): Promise<Product> {
    const product = await plain
    if (!isCompressible(product.contentType)) return product
    return cache.getOrMake(encodedKey(call, encoding), async () => ({
      ...product,
      encoding,
      body: await compress(encoding, product.body),
    }))
  }

  /** The headers that GET has; its length only where the bytes are in the cache. */
  function head(producer: Producer, call: Call, exchange: Exchange, granted: Granted): Response {
    const { request, notes } = exchange
    const described = producer.describe(call.query)
    const accepted = negotiateEncoding(request.headers.get('accept-encoding'))
    const encoding = isCompressible(described.contentType) ? accepted : undefined
    const known = cache.get(encoding === undefined ? call.key : encodedKey(call, encoding))
    notes.cache = known === undefined ? 'miss' : 'hit'
    const spent = timing(exchange, performance.now())
    if (known !== undefined) return productResponse(call, known, granted, exchange, spent)
    return headResponse(call, { ...described, ...(encoding && { encoding }) }, granted, exchange, spent)
  }

  return { answer }
}

function encodedKey({ key }: Call, encoding: Encoding): string {
  return `${key} ${encoding}`
}

function offersMoney({ headers }: Request): boolean {
  return headers.has('x-payment') || headers.has('payment-signature') || headers.has('authorization')
}

/** In whole hundredths of a millisecond: what matters, and cheap to write. */
function timing({ startMs, notes }: Exchange, authorizedMs: number): string {
  const span = (ms: number) => Math.round(ms * 100) / 100
  const authorizeMs = span(authorizedMs - startMs)
  const make = notes.cache === undefined ? 'make' : `make;desc=${notes.cache}`
  return `auth;dur=${authorizeMs}, ${make};dur=${span(performance.now() - authorizedMs)}`
}
