import { type Granted, notAllowed } from '../access/authorization.ts'
import type { ServedAsset } from '../assets/kit/asset.ts'
import type { AssetHead } from '../assets/kit/producer.ts'
import { invalidQuery, Problem } from '../errors.ts'
import { renderAsset, SharedContext } from '../http/cached-renderer.ts'
import type { DrawingQueue } from '../http/drawing-queue.ts'
import type { FreeDrawings } from '../http/free-drawings.ts'
import { meantRequest } from '../http/meant-request.ts'
import type { ParsedRequest, RenderedAsset } from '../http/parsed-request.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { Body } from '../lib/body.ts'
import type { ByteCache } from '../lib/byte-cache.ts'
import type { Waiter } from '../lib/waiter.ts'
import { createPreviewQuota, type PreviewQuotaDeps } from './preview-quota.ts'

export interface RenderedPreview {
  readonly rendered: RenderedAsset
  readonly durationMs: number
  /** Whether it came from the cache. */
  readonly isCached: boolean
  /** Cache lifetime of the asset at its public URL. */
  readonly cacheSeconds: number
}

export interface PreviewRendererDeps extends PreviewQuotaDeps {
  readonly assets: readonly ServedAsset[]
  readonly parse: (context: RequestContext) => ParsedRequest
  readonly cache: ByteCache<RenderedAsset>
  readonly drawings: Pick<DrawingQueue, 'draw'>
  readonly freeDrawings: FreeDrawings
}

export type PreviewRenderer = ReturnType<typeof createPreviewRenderer>

/** An asset's query within the request for a page of ours. */
type PreviewRequest = readonly [assetId: string, rawQuery: string, context: RequestContext]

/** Renders assets for our own pages: our examples without a quota, a visitor's input on the quota of their address. */
export function createPreviewRenderer(deps: PreviewRendererDeps) {
  const { assets, cache, drawings, freeDrawings } = deps
  const withReservation = createPreviewQuota(deps)

  /** Visitors of our pages have no key, so restricted brands are not for them. */
  function parse(context: RequestContext): ParsedRequest {
    const parsed = deps.parse(context)
    if (parsed.resolved?.keyIds !== undefined)
      throw new Problem(notAllowed.error, notAllowed.detail, { errors: notAllowed.errors })
    // A signature grants nothing here.
    if (parsed.resolved?.unlessAnswered !== undefined) throw invalidQuery(parsed.resolved.unlessAnswered)
    return parsed
  }

  /** `claim` is called before a drawing, and throws where there may be none. */
  async function render(
    context: RequestContext,
    granted: Granted,
    claim: () => void,
  ): Promise<RenderedPreview> {
    const startMs = performance.now()
    const parsed = await meantRequest(() => parse(context), context, granted)
    const { producer, query, asset, key, cacheSeconds } = parsed
    if ('answer' in producer)
      return bufferLiveResponse(await producer.answer(query, context, granted), startMs)
    const draw = (waiter: Waiter) =>
      drawings.draw(() => renderAsset(producer, parsed, new SharedContext(context, waiter)))
    const isFree = asset.priceMicros === undefined
    const isCached = !isFree && cache.get(key) !== undefined
    if (!isFree && !cache.has(key)) claim()
    const rendered = isFree
      ? await renderAsset(producer, parsed, context)
      : await cache.getOrCreate(key, draw, context.waiter)
    return { rendered, durationMs: performance.now() - startMs, isCached, cacheSeconds }
  }

  function renderCounted(
    context: RequestContext,
    granted: Granted,
    isCounted: boolean,
  ): Promise<RenderedPreview> {
    return render(context, granted, () => {
      if (!isCounted) freeDrawings.claim(context.clientAddress)
    })
  }

  return {
    /** Renders an example of ours. */
    renderOwn(...request: PreviewRequest): Promise<RenderedPreview> {
      const context = embeddedContext(assets, ...request)
      const granted = { granted: true, mode: 'demo', refund: async () => {} } as const
      return render(context, granted, () =>
        freeDrawings.claimOwn(`${context.path}?${context.rawQuery}`, context.clientAddress),
      )
    },
    /** Renders a visitor's input. Throws the Problem that a caller of the API would get, or `rate_limited`. */
    renderForVisitor(...request: PreviewRequest): Promise<RenderedPreview> {
      const context = embeddedContext(assets, ...request)
      const parsed = parse(context)
      return withReservation(parsed, context, (...grant) => renderCounted(context, ...grant))
    },
    /** Media type, file name and cache lifetime of what `renderOwn` would return, without rendering it. */
    describe(...request: PreviewRequest): AssetHead & Pick<RenderedPreview, 'cacheSeconds'> {
      const { producer, query, cacheSeconds } = parse(embeddedContext(assets, ...request))
      if ('answer' in producer) throw new Error('A live asset cannot be described before it is rendered.')
      return { ...producer.describe(query), cacheSeconds }
    },
    /** The asset as the response itself, which may be an event stream of its progress. HEAD is not counted or rendered. */
    respond(...request: PreviewRequest): Promise<Response> {
      const context = assetContext(assets, ...request)
      const parsed = parse(context)
      const { producer, query } = parsed
      return withReservation(parsed, context, async (granted, isCounted) => {
        if ('answer' in producer) return producer.answer(query, context, granted)
        if (context.method === 'HEAD') return toResponse({ ...producer.describe(query), body: null })
        return toResponse((await renderCounted(context, granted, isCounted)).rendered)
      })
    },
  }
}

/** The context of a request for the asset's public URL. It has log fields of its own, so statistics do not count it. */
function assetContext(
  assets: readonly ServedAsset[],
  ...[assetId, rawQuery, context]: PreviewRequest
): RequestContext {
  const asset = assets.find((row) => row.asset.id === assetId)?.asset
  if (asset === undefined) throw new Problem('not_found', 'There is no such asset.')
  const { clientAddress, waiter } = context
  return { ...context, clientAddress, waiter, path: asset.path, rawQuery, logFields: {} }
}

/**
 * The context of an asset within a page: a plain GET, because method and headers of the request are the page's.
 * Nothing reads its host.
 */
function embeddedContext(...request: Parameters<typeof assetContext>): RequestContext {
  return { ...assetContext(...request), method: 'GET', request: new Request('http://mintmark/') }
}

/** A live asset's response as bytes, with the cache lifetime of its `Cache-Control`. */
async function bufferLiveResponse(response: Response, startMs: number): Promise<RenderedPreview> {
  const body = new Uint8Array(await response.arrayBuffer())
  const maxAge = /max-age=(\d+)/.exec(response.headers.get('cache-control') ?? '')?.[1]
  return {
    rendered: { body, contentType: response.headers.get('content-type') ?? '', filename: 'answer' },
    durationMs: performance.now() - startMs,
    isCached: false,
    cacheSeconds: Number(maxAge ?? 0),
  }
}

function toResponse({ body, contentType, filename }: AssetHead & { readonly body: Body | null }): Response {
  return new Response(body, {
    headers: { 'content-type': contentType, 'content-disposition': `inline; filename="${filename}"` },
  })
}
