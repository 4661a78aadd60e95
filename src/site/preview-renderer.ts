import type { Granted } from '../access/authorization.ts'
import type { ServedAsset } from '../assets/asset.ts'
import type { AssetHead } from '../assets/producer.ts'
import { Problem } from '../errors.ts'
import { renderAsset } from '../http/cached-renderer.ts'
import type { ParsedRequest, RenderedAsset } from '../http/parsed-request.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { Body } from '../lib/body.ts'
import type { ByteCache } from '../lib/byte-cache.ts'
import { createPreviewQuota, type PreviewQuotaDeps } from './preview-quota.ts'

/** Renders assets for our own pages: our examples without a quota, a visitor's input on the quota of their address. */
export interface PreviewRenderer {
  /** Renders an example of ours. */
  renderOwn(assetId: string, rawQuery: string, context: RequestContext): Promise<RenderedPreview>
  /** Media type, file name and cache lifetime of what `renderOwn` would return, without rendering it. */
  describe(
    assetId: string,
    rawQuery: string,
    context: RequestContext,
  ): AssetHead & Pick<RenderedPreview, 'cacheSeconds'>
  /** Renders a visitor's input. Throws the Problem that a caller of the API would get, or `rate_limited`. */
  renderForVisitor(assetId: string, rawQuery: string, context: RequestContext): Promise<RenderedPreview>
  /** The asset as the response itself, which may be an event stream of its progress. HEAD is not counted or rendered. */
  respond(assetId: string, rawQuery: string, context: RequestContext): Promise<Response>
}

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
}

/** Base of a request without headers; nothing reads its host. */
const placeholderUrl = 'http://mintmark/'

export function createPreviewRenderer(deps: PreviewRendererDeps): PreviewRenderer {
  const { assets, parse, cache } = deps
  const withReservation = createPreviewQuota(deps)

  async function render(
    parsed: ParsedRequest,
    context: RequestContext,
    granted: Granted,
  ): Promise<RenderedPreview> {
    const startMs = performance.now()
    const { producer, query, asset, key } = parsed
    if ('answer' in producer)
      return bufferLiveResponse(await producer.answer(query, context, granted), startMs)
    const isFree = asset.priceMicros === undefined
    const isCached = !isFree && cache.get(key) !== undefined
    const rendered = isFree
      ? await renderAsset(producer, parsed, context)
      : await cache.getOrCreate(key, () => renderAsset(producer, parsed, context))
    return {
      rendered,
      durationMs: performance.now() - startMs,
      isCached,
      cacheSeconds: parsed.cacheSeconds,
    }
  }

  return {
    renderOwn(assetId, rawQuery, context) {
      const request = embeddedContext(assets, assetId, rawQuery, context)
      return render(parse(request), request, { granted: true, mode: 'demo', refund: async () => {} })
    },
    renderForVisitor(assetId, rawQuery, context) {
      const request = embeddedContext(assets, assetId, rawQuery, context)
      const parsed = parse(request)
      return withReservation(parsed, request, (granted) => render(parsed, request, granted))
    },
    describe(assetId, rawQuery, context) {
      const parsed = parse(embeddedContext(assets, assetId, rawQuery, context))
      const { producer, query } = parsed
      if ('answer' in producer) throw new Error('A live asset cannot be described before it is rendered.')
      return { ...producer.describe(query), cacheSeconds: parsed.cacheSeconds }
    },
    respond(assetId, rawQuery, context) {
      const request = assetContext(assets, assetId, rawQuery, context)
      const parsed = parse(request)
      const { producer, query } = parsed
      return withReservation(parsed, request, async (granted) => {
        if ('answer' in producer) return producer.answer(query, request, granted)
        if (request.method === 'HEAD') return toResponse({ ...producer.describe(query), body: null })
        return toResponse((await render(parsed, request, granted)).rendered)
      })
    },
  }
}

/** The context of a request for the asset's public URL. It has log fields of its own, so statistics do not count it. */
function assetContext(
  assets: readonly ServedAsset[],
  assetId: string,
  rawQuery: string,
  context: RequestContext,
): RequestContext {
  const asset = assets.find((row) => row.asset.id === assetId)?.asset
  if (asset === undefined) throw new Problem('not_found', 'There is no such asset.')
  const query = [asset.kind && `kind=${asset.kind}`, rawQuery].filter(Boolean).join('&')
  return { ...context, path: asset.path, rawQuery: query, logFields: {} }
}

/** The same for an asset within a page: a plain GET, because method and headers of the request are the page's. */
function embeddedContext(...request: Parameters<typeof assetContext>): RequestContext {
  return { ...assetContext(...request), method: 'GET', request: new Request(placeholderUrl) }
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
