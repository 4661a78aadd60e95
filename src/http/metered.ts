import type { Authorization } from '../access/authorization.ts'
import { demoRevalidation } from '../access/authorization.ts'
import type { Authorizer } from '../access/authorizer.ts'
import type { Producer } from '../assets/kit/producer.ts'
import type { ByteCache } from '../lib/byte-cache.ts'
import { WaitEnded } from '../lib/waiter.ts'
import type { Payments } from '../payments/payments.ts'
import { noTerms } from '../payments/wire/payment-required.ts'
import { notModified } from './asset-response.ts'
import { authorizationRequest } from './authorization-request.ts'
import { freshSecondsMax } from './cache-control.ts'
import { createCachedRenderer } from './cached-renderer.ts'
import { matchingEtag } from './conditional.ts'
import type { CountShare } from './count-shares.ts'
import type { DrawingQueue } from './drawing-queue.ts'
import type { FreeDrawings } from './free-drawings.ts'
import { createFulfilment } from './fulfilment.ts'
import type { ParsedRequest, RenderedAsset } from './parsed-request.ts'
import { refusedResponse } from './refused-response.ts'
import type { RequestContext } from './request-context.ts'

export interface MeteredDeps {
  readonly authorizer: Authorizer
  /** Rendered assets, each in the forms in which it was asked for. */
  readonly cache: ByteCache<RenderedAsset>
  readonly drawings: DrawingQueue
  readonly freeDrawings: FreeDrawings
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
export function createMetered(deps: MeteredDeps) {
  const { authorizer, cache, drawings, remember, payments } = deps
  const renderer = createCachedRenderer(cache, drawings, remember)
  const { fulfil, count } = createFulfilment({ ...deps, renderer, authorizeAgain: answerInFull })

  /** Returns no promise where there is nothing to wait for. */
  function answer(parsed: ParsedRequest, context: RequestContext): Response | Promise<Response> {
    const { head, logFields } = context
    const { asset, producer } = parsed
    logFields.asset = asset.id
    if ('produce' in producer && head.ifNoneMatch !== null && parsed.resolved?.find === undefined) {
      const etag = matchingEtag(head.ifNoneMatch, parsed.tag, parsed.etag)
      if (etag !== undefined) return revalidate(parsed, producer, etag, context)
    }
    return answerInFull(parsed, context)
  }

  function answerInFull(parsed: ParsedRequest, context: RequestContext): Response | Promise<Response> {
    const decision = authorizer.authorize(paymentRequest(parsed, context))
    if (decision instanceof Promise)
      return decision
        .then((decided) => unlessGone(decided, context))
        .then((decided) => obey(decided, parsed, context))
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
    noteKey(decision, parsed, context)
    count(parsed, context, decision)
    return notModified(parsed, producer, etag, decision, context)
  }

  function obey(
    decision: Authorization,
    parsed: ParsedRequest,
    context: RequestContext,
  ): Response | Promise<Response> {
    noteKey(decision, parsed, context)
    if (!decision.granted)
      return refusedResponse(
        decision,
        context,
        (code) => payments?.terms(paymentRequest(parsed, context), code) ?? noTerms,
      )
    context.logFields.auth = decision.mode
    return fulfil(parsed, context, decision)
  }

  return { answer }
}

/** Refunds a call whose caller has gone while it was decided: then nothing begins. @throws WaitEnded */
async function unlessGone(decision: Authorization, { waiter }: RequestContext): Promise<Authorization> {
  if (!decision.granted || !waiter.isGone()) return decision
  await decision.refund()
  throw new WaitEnded(true)
}

function noteKey(
  decision: Authorization,
  { credentials }: ParsedRequest,
  { logFields }: RequestContext,
): void {
  logFields.key = (decision.granted ? decision.keyId : undefined) ?? credentials.signature?.keyId
}

function paymentRequest(parsed: ParsedRequest, context: RequestContext, isRevalidation = false) {
  const { id, priceMicros } = parsed.asset
  if (priceMicros === undefined) throw new Error(`${id} has no price.`)
  return authorizationRequest(context, priceMicros, id, parsed, isRevalidation)
}

/** Whether a copy needs no right: the call names no key, and the asset is not restricted. */
function isForEverybody({ resolved, credentials }: ParsedRequest): boolean {
  return credentials.signature === undefined && resolved?.keyIds === undefined && resolved?.site === undefined
}
