import type { Producer } from '../assets/producer.ts'
import type { ByteCache } from '../lib/byte-cache.ts'
import type { AssetContent } from './asset-response.ts'
import { compress, type Encoding, isCompressible, negotiateEncoding } from './compression.ts'
import type { ParsedRequest, RenderedAsset } from './parsed-request.ts'
import { renderAsset } from './render-asset.ts'
import type { RequestContext } from './request-context.ts'

export interface CachedRenderer {
  /** Returns the asset in the encoding that the caller prefers. Each is rendered and compressed once while it is cached. */
  render(
    producer: Producer,
    call: ParsedRequest,
    context: RequestContext,
  ): RenderedAsset | Promise<RenderedAsset>
  /** Returns what HEAD is answered with: nothing is rendered, so the body is there only if it is cached. */
  head(producer: Producer, call: ParsedRequest, context: RequestContext): AssetContent
}

/** Renders assets through the cache, and notes hits and misses for the log. */
export function createCachedRenderer(
  cache: ByteCache<RenderedAsset>,
  /** Called with each request whose asset was cached: it may come again. */
  onHit: (call: ParsedRequest, context: RequestContext) => void = () => {},
): CachedRenderer {
  async function encode(
    call: ParsedRequest,
    plain: RenderedAsset | Promise<RenderedAsset>,
    encoding: Encoding,
  ): Promise<RenderedAsset> {
    const asset = await plain
    if (!isCompressible(asset.contentType)) return asset
    return cache.getOrCreate(encodedKey(call, encoding), async () => ({
      ...asset,
      encoding,
      body: await compress(encoding, asset.body),
    }))
  }

  return {
    render(producer, call, context) {
      const cached = cache.get(call.key)
      context.logFields.cache = cached === undefined ? 'miss' : 'hit'
      if (cached !== undefined) onHit(call, context)
      const plain = cached ?? cache.getOrCreate(call.key, () => renderAsset(producer, call, context))
      const encoding = negotiateEncoding(context.request.headers.get('accept-encoding'))
      return encoding === undefined ? plain : encode(call, plain, encoding)
    },
    head(producer, call, { request, logFields }) {
      const head = producer.describe(call.query)
      const accepted = negotiateEncoding(request.headers.get('accept-encoding'))
      const encoding = isCompressible(head.contentType) ? accepted : undefined
      const cached = cache.get(encoding === undefined ? call.key : encodedKey(call, encoding))
      logFields.cache = cached === undefined ? 'miss' : 'hit'
      return cached ?? { ...head, body: null, ...(encoding && { encoding }) }
    },
  }
}

function encodedKey({ key }: ParsedRequest, encoding: Encoding): string {
  return `${key} ${encoding}`
}
