import type { Granted } from '../access/authorization.ts'
import { inHundredths } from '../lib/hundredths.ts'
import { type AssetContent, assetResponse, liveResponse } from './asset-response.ts'
import type { CachedRenderer } from './cached-renderer.ts'
import type { CountShare } from './count-shares.ts'
import type { FreeDrawings } from './free-drawings.ts'
import type { ParsedRequest } from './parsed-request.ts'
import type { RequestContext } from './request-context.ts'

interface FulfilmentDeps {
  readonly renderer: CachedRenderer
  readonly freeDrawings: FreeDrawings
  readonly countShare?: CountShare | undefined
  /** Authorizes a call whose page has become known, and answers it. */
  readonly authorizeAgain: (parsed: ParsedRequest, context: RequestContext) => Response | Promise<Response>
}

/** Returns what answers granted calls. If that fails, the charge is refunded. */
export function createFulfilment({ renderer, freeDrawings, countShare, authorizeAgain }: FulfilmentDeps) {
  /** Answers a granted call, once it is known what it means. Returns no promise where there is nothing to wait for. */
  function fulfil(
    parsed: ParsedRequest,
    context: RequestContext,
    grant: Granted,
  ): Response | Promise<Response> {
    const { resolved } = parsed
    if (resolved?.find === undefined || context.method === 'HEAD') return fulfilNow(parsed, context, grant)
    return unlessFailed(resolved.find(context, grant), grant).then((found) =>
      fulfilFound(parsed.withMeaning(found), context, grant),
    )
  }

  function fulfilFound(
    meant: ParsedRequest,
    context: RequestContext,
    grant: Granted,
  ): Response | Promise<Response> {
    const { site, free } = meant.resolved ?? {}
    const { addressDigest, siteId } = grant
    // Nothing was counted before, because what counts is the page that an address leads to.
    if (siteId !== undefined && addressDigest === undefined && site?.page !== undefined)
      return authorizeAgain(meant, context)
    // The count that it rests on may have been given back meanwhile: the other call may have found nothing.
    if (grant.isView === true && free === undefined)
      return grant.refund().then(() => authorizeAgain(meant, context))
    return fulfilNow(meant, context, grant)
  }

  function fulfilNow(
    parsed: ParsedRequest,
    context: RequestContext,
    grant: Granted,
  ): Response | Promise<Response> {
    context.grant = grant
    if (parsed.resolved?.free !== undefined) return giveAway(parsed, context, grant)
    const rendering = attempt(() => respond(renderer, parsed, context, grant))
    if (rendering instanceof Response && grant.payment === undefined)
      return counted(rendering, parsed, context, grant)
    return deliver(rendering, context, grant).then((response) => counted(response, parsed, context, grant))
  }

  /** Answers with the asset's replacement. Nothing is charged or counted, so no quota is told. */
  async function giveAway(parsed: ParsedRequest, context: RequestContext, grant: Granted): Promise<Response> {
    const { mode, secondsLeft, refund } = grant
    await grant.refund()
    parsed.resolved?.use?.(context, grant)
    const needsDrawing = context.method !== 'HEAD' && !renderer.isKept(parsed, context)
    const mayDraw = !needsDrawing || freeDrawings.acquire(context.clientAddress)
    const free = { granted: true, mode, secondsLeft, refund } as const
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

  return {
    fulfil,
    /** Counts an answer that was granted, a 304 included. */
    count,
  }
}

/** The replacement that has no words of its subject. */
function withoutSubject(parsed: ParsedRequest): ParsedRequest {
  const { resolved } = parsed
  if (resolved?.free === undefined) return parsed
  const { plainQuery } = resolved.free
  return parsed.withMeaning({ ...resolved, free: { query: plainQuery, plainQuery } })
}

/** Refunds a granted call if something that it needs cannot be had. */
async function unlessFailed<T>(work: Promise<T>, grant: Granted): Promise<T> {
  try {
    return await work
  } catch (error) {
    await grant.refund()
    throw error
  }
}

/** Waits for the response to a granted call, and captures what it costs; without a response nothing is charged. */
async function deliver(
  rendering: Response | Promise<Response>,
  { request }: RequestContext,
  grant: Granted,
): Promise<Response> {
  try {
    const response = await rendering
    const { payment } = grant
    if (payment === undefined) return response
    const captured = await payment.capture(response, () => !request.signal.aborted)
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
