import type { AuthorizationRequest, Granted } from '../access/authorization.ts'
import type { Authorizer } from '../access/authorizer.ts'
import type { Producer } from '../assets/producer.ts'
import type { ByteCache } from '../lib/byte-cache.ts'
import type { Payments } from '../payments/payments.ts'
import { noTerms, type PaymentTerms } from '../payments/wire/payment-required.ts'
import { assetResponse, headResponse, notModified, withGrant } from './asset-response.ts'
import { compress, type Encoding, isCompressible, negotiateEncoding } from './compression.ts'
import { matchingEtag } from './conditional.ts'
import type { ParsedRequest, RenderedAsset } from './parsed-request.ts'
import { answerRefused } from './refused.ts'
import { renderAsset } from './render-asset.ts'
import type { RequestContext } from './request-context.ts'
import { targetOf } from './target.ts'

export interface MeteredDeps {
  readonly authorizer: Authorizer
  /** Finished answers, and their compressed forms. */
  readonly cache: ByteCache<RenderedAsset>
  /** What one call of the asset costs, in micros. */
  readonly priceMicros: (assetId: string) => number
  /** Is told of a call whose answer was there already: it may come again. */
  readonly remember?: (call: ParsedRequest, context: RequestContext) => void
  /** How to pay, for the 402. Absent while no wallet is configured. */
  readonly payments?: Pick<Payments, 'terms'> | undefined
}

/**
 * Answers a valid call: authorize, charge, produce. What was charged and then failed on our side is given back.
 * A caller who already has the answer is told so before anything is charged. HEAD is validated and authorized like
 * GET; nothing is charged and nothing is made.
 */
export function createMetered({ authorizer, cache, priceMicros, remember, payments }: MeteredDeps) {
  async function answer(call: ParsedRequest, context: RequestContext): Promise<Response> {
    const { request, logFields: notes } = context
    const { producer } = call
    notes.asset = call.asset.id
    if ('produce' in producer) {
      const etag = matchingEtag(request.headers.get('if-none-match'), call.tag)
      if (etag !== undefined) {
        remember?.(call, context)
        return notModified(call, etag, offersMoney(request))
      }
    }
    const authorization = await authorizer.authorize(authorizationRequest(call, context))
    if (!authorization.granted)
      return answerRefused(authorization, context, (error) => termsFor(error, call, context))
    notes.auth = authorization.mode
    const authorizedMs = performance.now()
    try {
      let response: Response
      if ('produce' in producer) {
        if (context.method === 'HEAD') response = head(producer, call, context, authorization)
        else {
          const making = produce(producer, call, context)
          const product = making instanceof Promise ? await making : making
          response = assetResponse(call, product, authorization, context, timing(context, authorizedMs))
        }
        context.isFinished = authorization.payment === undefined
      } else {
        const live = await producer.answer(call.query, context, authorization)
        response = withGrant(live, authorization, timing(context, authorizedMs))
      }
      const { payment } = authorization
      if (payment === undefined) return response
      const sent = await payment.capture(response)
      // The money did not come after all: the call is not counted either.
      if (!sent.ok) await authorization.refund()
      return sent
    } catch (error) {
      await authorization.refund()
      throw error
    }
  }

  function authorizationRequest(call: ParsedRequest, context: RequestContext): AuthorizationRequest {
    const { request, method, path, rawQuery, baseUrl } = context
    const { id } = call.asset
    return {
      method,
      path,
      rawQuery,
      credentials: call.credentials,
      headers: request.headers,
      url: baseUrl + targetOf(context),
      priceMicros: priceMicros(id),
      endpoint: id,
      get clientAddress() {
        return context.clientAddress
      },
    }
  }

  function termsFor(error: string, call: ParsedRequest, context: RequestContext): PaymentTerms {
    return payments?.terms(authorizationRequest(call, context), error) ?? noTerms
  }

  /** From the cache or made now, in the encoding that the caller takes. Each is made and compressed once. */
  function produce(
    producer: Producer,
    call: ParsedRequest,
    context: RequestContext,
  ): RenderedAsset | Promise<RenderedAsset> {
    const { request, logFields: notes } = context
    const known = cache.get(call.key)
    notes.cache = known === undefined ? 'miss' : 'hit'
    if (known !== undefined) remember?.(call, context)
    const plain = known ?? cache.getOrCreate(call.key, () => renderAsset(producer, call, context))
    const encoding = negotiateEncoding(request.headers.get('accept-encoding'))
    return encoding === undefined ? plain : encode(call, plain, encoding)
  }

  async function encode(
    call: ParsedRequest,
    plain: RenderedAsset | Promise<RenderedAsset>,
    encoding: Encoding,
  ): Promise<RenderedAsset> {
    const product = await plain
    if (!isCompressible(product.contentType)) return product
    return cache.getOrCreate(encodedKey(call, encoding), async () => ({
      ...product,
      encoding,
      body: await compress(encoding, product.body),
    }))
  }

  /** The headers that GET has; its length only where the bytes are in the cache. */
  function head(
    producer: Producer,
    call: ParsedRequest,
    context: RequestContext,
    granted: Granted,
  ): Response {
    const { request, logFields: notes } = context
    const described = producer.describe(call.query)
    const accepted = negotiateEncoding(request.headers.get('accept-encoding'))
    const encoding = isCompressible(described.contentType) ? accepted : undefined
    const known = cache.get(encoding === undefined ? call.key : encodedKey(call, encoding))
    notes.cache = known === undefined ? 'miss' : 'hit'
    const spent = timing(context, performance.now())
    if (known !== undefined) return assetResponse(call, known, granted, context, spent)
    return headResponse(call, { ...described, ...(encoding && { encoding }) }, granted, context, spent)
  }

  return { answer }
}

function encodedKey({ key }: ParsedRequest, encoding: Encoding): string {
  return `${key} ${encoding}`
}

function offersMoney({ headers }: Request): boolean {
  return headers.has('x-payment') || headers.has('payment-signature') || headers.has('authorization')
}

/** In whole hundredths of a millisecond: what matters, and cheap to write. */
function timing({ startMs, logFields: notes }: RequestContext, authorizedMs: number): string {
  function span(ms: number) {
    return Math.round(ms * 100) / 100
  }
  const authorizeMs = span(authorizedMs - startMs)
  const make = notes.cache === undefined ? 'make' : `make;desc=${notes.cache}`
  return `auth;dur=${authorizeMs}, ${make};dur=${span(performance.now() - authorizedMs)}`
}
