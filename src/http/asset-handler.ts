import { Elysia } from 'elysia'
import { type Authorization, demoRevalidation, type Granted } from '../access/authorization.ts'
import type { Authorizer } from '../access/authorizer.ts'
import type { ServedAsset } from '../assets/kit/asset.ts'
import type { Producer, ResolvedQuery } from '../assets/kit/producer.ts'
import type { ByteCache } from '../lib/byte-cache.ts'
import { inHundredths } from '../lib/human-format.ts'
import { WaitEnded, withResult } from '../lib/waiter.ts'
import { noTerms, type Payments } from '../payments/payments.ts'
import { assetHeaders, assetResponse, liveResponse, notModified } from './asset-response.ts'
import { freshSecondsMax, matchingEtag } from './cache-control.ts'
import {
  type CachedRenderer,
  createCachedRenderer,
  type DrawingQueue,
  type FreeDrawings,
} from './cached-renderer.ts'
import { compress, encodingFor } from './compression.ts'
import type { CountShare } from './count-shares.ts'
import { RequestToAuthorize, refusedResponse } from './refused-response.ts'
import { contextOf, type ParsedRequest, type RenderedAsset, type RequestContext } from './request-context.ts'
import { createFrontCache, createRequestParser } from './request-parser.ts'
import { queryOf } from './router.ts'

export type AssetHandler = ReturnType<typeof createAssetHandler>

export function createAssetHandler({
  assets,
  ...deps
}: MeteredDeps & { readonly assets: readonly ServedAsset[] }) {
  const parser = createRequestParser(assets)
  const frontCache = createFrontCache()
  const metered = createMetered({ ...deps, remember: frontCache.remember })

  function answer(parsed: ParsedRequest, context: RequestContext): Response | Promise<Response> {
    const check = parsed.resolved?.recheck()
    if (check !== undefined) return check.then(() => answerNow(parser.read(context), context))
    return answerNow(parsed, context)
  }

  function answerNow(parsed: ParsedRequest, context: RequestContext): Response | Promise<Response> {
    if (parsed.asset.priceMicros !== undefined) return metered.answer(parsed, context)
    frontCache.remember(parsed, context)
    return freeResponse(parsed, context)
  }

  const router = new Elysia({ name: 'assets' })
  for (const { path, parameters } of parser.routes) {
    const query = queryOf(parameters, parser.read)
    router.get(path, ({ query, request }) => answer(query, contextOf(request)), { query })
  }

  return {
    /** Lists assets among the routes, for documents and for requests with other methods. */
    router,
    paths: parser.routes.map(({ path }) => path),
    parse: parser.read,
    recall: frontCache.recall,
    /** Answers GET and HEAD of an asset; returns undefined for every other request, which the router answers. */
    answerAsset(context: RequestContext): Response | Promise<Response> | undefined {
      const { method, path } = context
      const isAsset = (method === 'GET' || method === 'HEAD') && parser.isAsset(path)
      return isAsset ? answer(parser.read(context), context) : undefined
    },
    /** Answers a GET whose URL was parsed before and still means the same; returns undefined for every other request. */
    answerRepeated(context: RequestContext): Response | Promise<Response> | undefined {
      const { method, recalled } = context
      const isRepeated =
        method === 'GET' && recalled !== undefined && recalled.resolved?.isCurrent() !== false
      return isRepeated ? answer(recalled, context) : undefined
    },
  }
}

export async function freeResponse(parsed: ParsedRequest, context: RequestContext): Promise<Response> {
  const { asset, producer, query, cacheSeconds } = parsed
  context.logFields.asset = asset.id
  if ('answer' in producer) throw new Error('Live assets are metered.')
  const { contentType, filename } = producer.describe(query)
  const encoding = encodingFor(context.request, contentType)
  const cacheControl = `public, max-age=${cacheSeconds}`
  const headers = assetHeaders({ path: asset.path, contentType, cacheControl, encoding })
  headers.set('content-disposition', `inline; filename="${filename}"`)
  if (context.method === 'HEAD') return new Response(null, { headers })
  const body = await producer.produce(query, context)
  return new Response(encoding === undefined ? body : await compress(encoding, body), { headers })
}

export interface MeteredDeps {
  readonly authorizer: Authorizer
  readonly cache: ByteCache<RenderedAsset>
  readonly drawings: DrawingQueue
  readonly freeDrawings: FreeDrawings
  /** Called with each request whose answer was cached: it may come again. */
  readonly remember?: (parsed: ParsedRequest, context: RequestContext) => void
  /** Called with each answer that was granted, a 304 included. */
  readonly countShare?: CountShare | undefined
  readonly payments?: Pick<Payments, 'terms'> | undefined
}

type Answer = Response | Promise<Response>

/**
 * Authorize, charge, render, count; a failure refunds. Who has the asset gets a 304 before anything is charged. HEAD is
 * authorized like GET, but nothing is charged or rendered. No step returns a promise where there is nothing to wait for.
 */
export function createMetered(deps: MeteredDeps) {
  const { authorizer, cache, drawings, freeDrawings, remember, countShare, payments } = deps
  const renderer = createCachedRenderer(cache, drawings, remember)

  function answer(parsed: ParsedRequest, context: RequestContext): Answer {
    const { head, logFields } = context
    const { asset, producer } = parsed
    logFields.asset = asset.id
    if ('produce' in producer && head.ifNoneMatch !== null && parsed.resolved?.find === undefined) {
      const etag = matchingEtag(head.ifNoneMatch, parsed.tag, parsed.etag)
      if (etag !== undefined) {
        const decision = isForEverybody(parsed)
          ? demoRevalidation
          : authorizer.authorize(paymentRequest(parsed, context, true))
        return withResult(decision, (decided) => confirm(decided, parsed, producer, etag, context))
      }
    }
    return answerInFull(parsed, context)
  }

  /** Answers a caller who has the asset under this ETag: 304 if the same call would be granted, else its refusal. */
  function confirm(
    decision: Authorization,
    parsed: ParsedRequest,
    producer: Producer,
    etag: string,
    context: RequestContext,
  ): Answer {
    // A payment that was taken pays for the asset itself.
    if (!decision.granted || decision.payment !== undefined) return obey(decision, parsed, context)
    // nginx takes a 304 that leaves no time for one that says nothing, and keeps its copy as long as at first.
    if (freshSecondsMax(decision, context) === 0) return answerInFull(parsed, context)
    remember?.(parsed, context)
    noteKey(decision, parsed, context)
    count(parsed, context, decision)
    return notModified(parsed, producer, etag, decision, context)
  }

  function answerInFull(parsed: ParsedRequest, context: RequestContext): Answer {
    return withResult(authorize(parsed, context), (decided) => obey(decided, parsed, context))
  }

  function authorize(parsed: ParsedRequest, context: RequestContext): Authorization | Promise<Authorization> {
    const decision = authorizer.authorize(paymentRequest(parsed, context))
    return decision instanceof Promise ? decision.then((decided) => unlessGone(decided, context)) : decision
  }

  function obey(decision: Authorization, parsed: ParsedRequest, context: RequestContext): Answer {
    noteKey(decision, parsed, context)
    if (!decision.granted) return refuse(decision, parsed, context)
    context.logFields.auth = decision.mode
    const { resolved } = parsed
    return resolved?.find === undefined || context.method === 'HEAD'
      ? deliver(parsed, context, decision)
      : findAndDeliver(parsed, resolved.find(context, decision), context, decision)
  }

  function refuse(decision: Exclude<Authorization, Granted>, parsed: ParsedRequest, context: RequestContext) {
    const termsFor = (code: string) => payments?.terms(paymentRequest(parsed, context), code) ?? noTerms
    return refusedResponse(decision, context, termsFor)
  }

  async function findAndDeliver(
    parsed: ParsedRequest,
    finding: Promise<ResolvedQuery>,
    context: RequestContext,
    grant: Granted,
  ): Promise<Response> {
    const meant = parsed.withMeaning(await refundIfFailed(finding, grant))
    const { site, free } = meant.resolved ?? {}
    // Nothing was counted before, because what counts is the page that an address leads to.
    const isUncounted =
      grant.siteId !== undefined && grant.addressDigest === undefined && site?.page !== undefined
    // The count that it rests on may have been given back meanwhile: the other call may have found nothing.
    const isView = grant.isView === true && free === undefined
    if (!isUncounted && !isView) return deliver(meant, context, grant)
    if (isView) await grant.refund()
    const decision = await authorize(meant, context)
    noteKey(decision, meant, context)
    if (!decision.granted) return refuse(decision, meant, context)
    context.logFields.auth = decision.mode
    return deliver(meant, context, decision)
  }

  function deliver(parsed: ParsedRequest, context: RequestContext, grant: Granted): Answer {
    context.grant = grant
    if (parsed.resolved?.free !== undefined) return giveAway(parsed, context, grant)
    try {
      const response = respond(renderer, parsed, context, grant)
      if (response instanceof Response && grant.payment === undefined)
        return counted(response, parsed, context, grant)
      return refundIfFailed(capture(response, context, grant), grant).then((sent) =>
        counted(sent, parsed, context, grant),
      )
    } catch (error) {
      return refundIfFailed(Promise.reject(error), grant)
    }
  }

  /** Answers with the asset's replacement. Nothing is charged or counted, so no quota is told. */
  async function giveAway(parsed: ParsedRequest, context: RequestContext, grant: Granted): Promise<Response> {
    const { mode, secondsLeft } = grant
    await grant.refund()
    parsed.resolved?.use?.(context, grant)
    const needsDrawing = context.method !== 'HEAD' && !renderer.isKept(parsed, context)
    const mayDraw = !needsDrawing || freeDrawings.acquire(context.clientAddress)
    const free = { ...demoRevalidation, mode, secondsLeft }
    return respond(renderer, mayDraw ? parsed : withoutSubject(parsed), context, free)
  }

  function counted(response: Response, parsed: ParsedRequest, context: RequestContext, grant: Granted) {
    if (response.status === 200) count(parsed, context, grant)
    return response
  }

  function count(parsed: ParsedRequest, context: RequestContext, grant: Granted): void {
    parsed.resolved?.use?.(context, grant)
    // A replacement picture was not shared.
    if (parsed.resolved?.free === undefined) countShare?.(parsed, context, grant)
  }

  return { answer }
}

function paymentRequest(parsed: ParsedRequest, context: RequestContext, isRevalidation = false) {
  const { id, priceMicros } = parsed.asset
  if (priceMicros === undefined) throw new Error(`${id} has no price.`)
  return new RequestToAuthorize(context, priceMicros, id, parsed, isRevalidation)
}

/** A copy needs no right if the call names no key, and the asset is not restricted. */
function isForEverybody({ resolved, credentials }: ParsedRequest): boolean {
  return credentials.signature === undefined && resolved?.keyIds === undefined && resolved?.site === undefined
}

/** Refunds a call whose caller has gone while it was decided: then nothing begins. @throws WaitEnded */
async function unlessGone(decision: Authorization, { waiter }: RequestContext): Promise<Authorization> {
  if (!decision.granted || !waiter.isGone()) return decision
  await decision.refund()
  throw new WaitEnded(true)
}

function noteKey(decision: Authorization, { credentials }: ParsedRequest, { logFields }: RequestContext) {
  logFields.key = (decision.granted ? decision.keyId : undefined) ?? credentials.signature?.keyId
}

async function refundIfFailed<T>(work: Promise<T>, grant: Granted): Promise<T> {
  try {
    return await work
  } catch (error) {
    await grant.refund()
    throw error
  }
}

/** Waits for the response to a granted call, and captures what it costs; without a response nothing is charged. */
async function capture(rendering: Answer, { request }: RequestContext, grant: Granted): Promise<Response> {
  const response = await rendering
  const { payment } = grant
  if (payment === undefined) return response
  const captured = await payment.capture(response, () => !request.signal.aborted)
  // The payment failed after all, so the call is not counted either.
  if (!captured.ok) await grant.refund()
  return captured
}

function withoutSubject(parsed: ParsedRequest): ParsedRequest {
  const { resolved } = parsed
  if (resolved?.free === undefined) return parsed
  const { plainQuery } = resolved.free
  return parsed.withMeaning({ ...resolved, free: { query: plainQuery, plainQuery } })
}

function respond(renderer: CachedRenderer, parsed: ParsedRequest, context: RequestContext, grant: Granted) {
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
  return withResult(rendered, (content) => {
    if (context.method !== 'HEAD') parsed.resolved?.count(grant)
    return assetResponse(parsed, content, grant, context, serverTiming(context, authorizedMs))
  })
}

function serverTiming({ startMs, logFields }: RequestContext, authorizedMs: number): string {
  const make = logFields.cache === undefined ? 'make' : `make;desc=${logFields.cache}`
  const makeMs = performance.now() - authorizedMs
  return `auth;dur=${inHundredths(authorizedMs - startMs)}, ${make};dur=${inHundredths(makeMs)}`
}
