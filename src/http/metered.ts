import type { Authorization, Granted } from '../access/authorization.ts'
import type { Authorizer } from '../access/authorizer.ts'
import { demoRevalidation } from '../access/quota-grant.ts'
import type { Producer } from '../assets/kit/producer.ts'
import type { ByteCache } from '../lib/byte-cache.ts'
import { inHundredths } from '../lib/hundredths.ts'
import type { Payments } from '../payments/payments.ts'
import { noTerms } from '../payments/wire/payment-required.ts'
import { type AssetContent, assetResponse, liveResponse, notModified } from './asset-response.ts'
import { authorizationRequest } from './authorization-request.ts'
import { freshSecondsMax } from './cache-control.ts'
import { type CachedRenderer, createCachedRenderer } from './cached-renderer.ts'
import { matchingEtag } from './conditional.ts'
import type { CountShare } from './count-shares.ts'
import type { DrawingQueue } from './drawing-queue.ts'
import { createLiveAnswer, deliverLive } from './live-requests.ts'
import type { ParsedRequest, RenderedAsset } from './parsed-request.ts'
import { refusedResponse } from './refused-response.ts'
import type { RequestContext } from './request-context.ts'

export interface MeteredDeps {
  readonly authorizer: Authorizer
  /** Rendered assets, each in the forms in which it was asked for. */
  readonly cache: ByteCache<RenderedAsset>
  readonly drawings: DrawingQueue
  /** Called with each request whose answer was cached: it may come again. */
  readonly remember?: (parsed: ParsedRequest, context: RequestContext) => void
  /** Called with each answer that was granted, a 304 included. */
  readonly countShare?: CountShare | undefined
  /** Adds to a 402 how to pay. Undefined while no wallet is configured. */
  readonly payments?: Pick<Payments, 'terms'> | undefined
}

/**
 * Answers valid requests for priced assets: authorize, charge, render. If rendering fails, the charge is refunded. A
 * caller who has the asset already gets a 304, after the signature was checked and before anything is charged. HEAD is
 * authorized like GET, but nothing is charged or rendered.
 */
export function createMetered({ authorizer, cache, drawings, remember, payments, countShare }: MeteredDeps) {
  const renderer = createCachedRenderer(cache, drawings, remember)
  const deliverGranted = createDelivery(renderer, countShare)
  const answerLive = createLiveAnswer({ remember, answerComplete, answerInFull })

  /** Returns no promise where there is nothing to wait for. */
  function answer(parsed: ParsedRequest, context: RequestContext): Response | Promise<Response> {
    context.logFields.asset = parsed.asset.id
    return parsed.live === undefined
      ? answerComplete(parsed, context)
      : answerLive(parsed.live, parsed, context)
  }

  function answerComplete(parsed: ParsedRequest, context: RequestContext): Response | Promise<Response> {
    const { producer } = parsed
    const { head } = context
    if ('produce' in producer && head.ifNoneMatch !== null) {
      const etag = matchingEtag(head.ifNoneMatch, parsed.tag, parsed.etag)
      if (etag !== undefined) return revalidate(parsed, producer, etag, context)
    }
    return answerInFull(parsed, context)
  }

  function answerInFull(parsed: ParsedRequest, context: RequestContext): Response | Promise<Response> {
    const decision = authorizer.authorize(paymentRequest(parsed, context))
    if (decision instanceof Promise) return decision.then((decided) => obey(decided, parsed, context))
    return obey(decision, parsed, context)
  }

  /** Answers a caller who has the asset under this ETag: 304 if the same call would be granted, else its refusal. */
  function revalidate(
    parsed: ParsedRequest,
    producer: Producer,
    etag: string,
    context: RequestContext,
  ): Response | Promise<Response> {
    if (isForEverybody(parsed)) return confirm(demoRevalidation, parsed, producer, etag, context)
    const decision = authorizer.authorize(paymentRequest(parsed, context, true))
    if (decision instanceof Promise)
      return decision.then((decided) => confirm(decided, parsed, producer, etag, context))
    return confirm(decision, parsed, producer, etag, context)
  }

  function confirm(
    decision: Authorization,
    parsed: ParsedRequest,
    producer: Producer,
    etag: string,
    context: RequestContext,
  ): Response | Promise<Response> {
    // A payment that was taken pays for the asset itself.
    if (!decision.granted || decision.payment !== undefined) return obey(decision, parsed, context)
    // nginx takes a 304 that leaves no time for one that says nothing, and keeps its copy as long as at first.
    if (freshSecondsMax(decision, context) === 0) return answerInFull(parsed, context)
    remember?.(parsed, context)
    context.isFinished = true
    countShare?.(parsed, context, decision)
    return notModified(parsed, producer, etag, decision, context)
  }

  function obey(
    decision: Authorization,
    parsed: ParsedRequest,
    context: RequestContext,
  ): Response | Promise<Response> {
    if (!decision.granted)
      return refusedResponse(
        decision,
        context,
        (code) => payments?.terms(paymentRequest(parsed, context), code) ?? noTerms,
      )
    context.logFields.auth = decision.mode
    return deliverGranted(parsed, context, decision)
  }

  return { answer }
}

/** Returns a function that answers a granted call, and no promise where there is nothing to wait for. */
function createDelivery(renderer: CachedRenderer, countShare: CountShare | undefined) {
  function deliverComplete(
    parsed: ParsedRequest,
    context: RequestContext,
    grant: Granted,
  ): Response | Promise<Response> {
    const rendering = attempt(() => respond(renderer, parsed, context, grant))
    if (rendering instanceof Response && grant.payment === undefined)
      return counted(rendering, parsed, context, grant)
    return deliver(rendering, grant).then((response) => counted(response, parsed, context, grant))
  }

  function counted(response: Response, parsed: ParsedRequest, context: RequestContext, grant: Granted) {
    if (response.status === 200) countShare?.(parsed, context, grant)
    return response
  }

  return (parsed: ParsedRequest, context: RequestContext, grant: Granted): Response | Promise<Response> => {
    if (parsed.live === undefined || context.method === 'HEAD') return deliverComplete(parsed, context, grant)
    return deliverLive(parsed.live, parsed, context, grant, {
      deliver: deliverComplete,
      respond: (...request) => respond(renderer, ...request),
    })
  }
}

function paymentRequest(parsed: ParsedRequest, context: RequestContext, isRevalidation = false) {
  const { id, priceMicros } = parsed.asset
  if (priceMicros === undefined) throw new Error(`${id} has no price.`)
  return authorizationRequest(context, priceMicros, id, parsed, isRevalidation)
}

/** Whether a copy needs no right: the call is not signed, and the asset is not for chosen keys. */
function isForEverybody({ resolved, credentials }: ParsedRequest): boolean {
  return credentials.signature === undefined && resolved?.keyIds === undefined
}

/** Waits for the response to a granted call, and captures what it costs; without a response nothing is charged. */
async function deliver(rendering: Response | Promise<Response>, grant: Granted): Promise<Response> {
  try {
    const response = await rendering
    const { payment } = grant
    if (payment === undefined) return response
    const captured = await payment.capture(response)
    // The payment failed after all, so the call is not counted either.
    if (!captured.ok) await grant.refund()
    return captured
  } catch (error) {
    await grant.refund()
    throw error
  }
}

/** Turns an exception into a rejection. */
function attempt<T>(work: () => T | Promise<T>): T | Promise<T> {
  try {
    return work()
  } catch (error) {
    return Promise.reject(error)
  }
}

/** The response to a granted call. Returns a promise only where there is something to wait for. */
function respond(
  renderer: CachedRenderer,
  parsed: ParsedRequest,
  context: RequestContext,
  grant: Granted,
): Response | Promise<Response> {
  const { producer } = parsed
  const authorizedMs = performance.now()
  if ('answer' in producer) {
    context.isUnmadeForHead = true
    return producer
      .answer(parsed.query, context, grant)
      .then((response) => liveResponse(response, grant, context, serverTiming(context, authorizedMs)))
  }
  const rendered =
    context.method === 'HEAD'
      ? renderer.head(producer, parsed, context)
      : renderer.render(producer, parsed, context, grant)
  if (rendered instanceof Promise)
    return rendered.then((content) => finishedResponse(parsed, content, context, grant, authorizedMs))
  return finishedResponse(parsed, rendered, context, grant, authorizedMs)
}

/** The response of a rendered asset, which needs nothing of the request pipeline unless it is paid for. */
function finishedResponse(
  parsed: ParsedRequest,
  content: AssetContent,
  context: RequestContext,
  grant: Granted,
  authorizedMs: number,
): Response {
  if (context.method !== 'HEAD') parsed.resolved?.count(grant)
  const response = assetResponse(parsed, content, grant, context, serverTiming(context, authorizedMs))
  context.isFinished = grant.payment === undefined
  return response
}

/** The value of `Server-Timing`. */
function serverTiming({ startMs, logFields }: RequestContext, authorizedMs: number): string {
  const make = logFields.cache === undefined ? 'make' : `make;desc=${logFields.cache}`
  const makeMs = performance.now() - authorizedMs
  return `auth;dur=${inHundredths(authorizedMs - startMs)}, ${make};dur=${inHundredths(makeMs)}`
}
