import { createHash } from 'node:crypto'
import type { Granted } from '../access/authorization.ts'
import { type Meter, MeterUnavailable } from '../access/meter.ts'
import type { QuotaReservation } from '../access/quota-reservation.ts'
import type { ServedAsset } from '../assets/asset.ts'
import type { AssetHead } from '../assets/producer.ts'
import { Problem } from '../errors.ts'
import type { ParsedRequest, RenderedAsset } from '../http/parsed-request.ts'
import { renderAsset } from '../http/render-asset.ts'
import type { RequestContext } from '../http/request-context.ts'
import { addressBlock } from '../lib/address-block.ts'
import type { Body } from '../lib/body.ts'
import type { ByteCache } from '../lib/byte-cache.ts'
import { type Clock, dayMs, secondsUntil } from '../lib/clock.ts'

/** Makes assets for our own pages: pictures of ours for nothing, a visitor's words on a bucket of their own. */
export interface PreviewRenderer {
  /** Something of ours. */
  renderOwn(assetId: string, rawQuery: string, context: RequestContext): Promise<RenderedPreview>
  /** What `make` would make, and for how many seconds it may be kept, without making it. */
  describe(
    assetId: string,
    rawQuery: string,
    context: RequestContext,
  ): AssetHead & Pick<RenderedPreview, 'cacheSeconds'>
  /** Something that a visitor asks for: counted once a day for equal words. Throws what a caller would be told. */
  renderForVisitor(assetId: string, rawQuery: string, context: RequestContext): Promise<RenderedPreview>
  /** The same as an answer to the visitor's browser, which may want to hear of progress. HEAD counts and makes nothing. */
  respond(assetId: string, rawQuery: string, context: RequestContext): Promise<Response>
}

export interface RenderedPreview {
  readonly product: RenderedAsset
  readonly durationMs: number
  /** It was made before, and is still in memory. */
  readonly isCached: boolean
  /** For how long the public address of this may be kept, in seconds. */
  readonly cacheSeconds: number
}

export interface PreviewRendererDeps {
  readonly assets: readonly ServedAsset[]
  readonly parse: (context: RequestContext) => ParsedRequest
  readonly cache: ByteCache<RenderedAsset>
  readonly meter: Meter
  readonly clock: Clock
  /** How much one client address may ask for on a UTC day. */
  readonly perAddressDaily: number
}

/** A look at somebody else's site costs more than a picture. */
const liveAssetWeight = 20

const pictureSeconds = 86_400
/** Stands for a request without headers. */
const placeholderUrl = 'http://mintmark/'
const freeSeconds = 10

export function createPreviewRenderer(deps: PreviewRendererDeps): PreviewRenderer {
  const { assets, parse, cache, meter, clock, perAddressDaily } = deps

  /**
   * The request that a caller of the public address would make; statistics hear nothing of it. The headers are for
   * the page that the visitor asked for: what an asset is asked for within it has none.
   */
  function assetRequest(assetId: string, rawQuery: string, context: RequestContext): RequestContext {
    return {
      ...withAssetPath(assetId, rawQuery, context),
      method: 'GET',
      request: new Request(placeholderUrl),
    }
  }

  /** The same where the asset itself is the answer: it may be a HEAD, and ask for a stream. */
  function withAssetPath(assetId: string, rawQuery: string, context: RequestContext): RequestContext {
    const asset = assets.find((row) => row.asset.id === assetId)?.asset
    if (asset === undefined) throw new Problem('not_found', 'There is no such asset.')
    const query = [asset.kind && `kind=${asset.kind}`, rawQuery].filter(Boolean).join('&')
    return { ...context, path: asset.path, rawQuery: query, logFields: {} }
  }

  async function reserve(
    call: ParsedRequest,
    { clientAddress, method }: RequestContext,
  ): Promise<QuotaReservation> {
    const bucket = `ip:${addressBlock(clientAddress)}:playground`
    const weight = 'answer' in call.producer ? liveAssetWeight : 1
    const n = method === 'HEAD' ? 0 : weight
    const once = createHash('sha256').update(call.key).digest('base64url').slice(0, 22)
    const taken = await meter
      .reserve({ bucket, limit: perAddressDaily, n, dedupKey: once })
      .catch((error: unknown) => {
        throw error instanceof MeterUnavailable ? busy(error) : error
      })
    if (taken.granted) return taken
    const seconds = secondsUntil(taken.resetsAtMs, clock.now(), dayMs)
    throw new Problem(
      'rate_limited',
      'Your address has had its previews for today. The snippets still work.',
      {
        headers: { 'retry-after': String(seconds) },
      },
    )
  }

  /** What `work` makes; when it fails, the visitor has it back. */
  async function counted<T>(
    call: ParsedRequest,
    context: RequestContext,
    work: (granted: Granted) => Promise<T>,
  ): Promise<T> {
    const taken = await reserve(call, context)
    function refund() {
      return meter.release(taken)
    }
    try {
      return await work({ granted: true, mode: 'demo', refund })
    } catch (error) {
      await refund()
      throw error
    }
  }

  async function produce(
    call: ParsedRequest,
    context: RequestContext,
    granted: Granted,
  ): Promise<RenderedPreview> {
    const startMs = performance.now()
    const { producer, query } = call
    if ('answer' in producer)
      return bufferLiveResponse(await producer.answer(query, context, granted), startMs)
    const isFree = call.asset.priceMicros === undefined
    const isKept = !isFree && cache.get(call.key) !== undefined
    const product = isFree
      ? await renderAsset(producer, call, context)
      : await cache.getOrCreate(call.key, () => renderAsset(producer, call, context))
    return {
      product,
      durationMs: performance.now() - startMs,
      isCached: isKept,
      cacheSeconds: cacheSecondsOf(call),
    }
  }

  return {
    renderOwn(assetId, rawQuery, context) {
      const request = assetRequest(assetId, rawQuery, context)
      return produce(parse(request), request, { granted: true, mode: 'demo', refund: async () => {} })
    },
    renderForVisitor(assetId, rawQuery, context) {
      const request = assetRequest(assetId, rawQuery, context)
      const call = parse(request)
      return counted(call, request, (granted) => produce(call, request, granted))
    },
    describe(assetId, rawQuery, context) {
      const call = parse(assetRequest(assetId, rawQuery, context))
      const { producer, query } = call
      if ('answer' in producer) throw new Error('A live asset is not known before it is made.')
      return { ...producer.describe(query), cacheSeconds: cacheSecondsOf(call) }
    },
    respond(assetId, rawQuery, context) {
      const request = withAssetPath(assetId, rawQuery, context)
      const call = parse(request)
      const { producer, query } = call
      return counted(call, request, async (granted) => {
        if ('answer' in producer) return producer.answer(query, request, granted)
        if (request.method === 'HEAD') return toResponse({ ...producer.describe(query), body: null })
        return toResponse((await produce(call, request, granted)).product)
      })
    },
  }
}

/** For how long the public address of a picture may be kept. */
function cacheSecondsOf({ asset, cacheSeconds }: ParsedRequest): number {
  return cacheSeconds ?? (asset.priceMicros === undefined ? freeSeconds : pictureSeconds)
}

/** The answer about a site as bytes; the time that it stays the same is what its maker says. */
async function bufferLiveResponse(response: Response, startMs: number): Promise<RenderedPreview> {
  const body = new Uint8Array(await response.arrayBuffer())
  const maxAge = /max-age=(\d+)/.exec(response.headers.get('cache-control') ?? '')?.[1]
  return {
    product: { body, contentType: response.headers.get('content-type') ?? '', filename: 'answer' },
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

function busy(cause: unknown): Problem {
  return new Problem('busy', 'The preview could not be counted just now.', {
    headers: { 'retry-after': '1' },
    cause,
  })
}
