import type { Producer } from '../assets/producer.ts'
import type { ByteCache } from '../lib/byte-cache.ts'
import type { AssetContent } from './asset-response.ts'
import { compress, type Encoding, encodingFor, isCompressible, negotiateEncoding } from './compression.ts'
import type { ParsedRequest, RenderedAsset } from './parsed-request.ts'
import type { RequestContext } from './request-context.ts'

export type CachedRenderer = ReturnType<typeof createCachedRenderer>

/** Renders assets through the cache, and notes hits and misses for the log. */
export function createCachedRenderer(
  cache: ByteCache<RenderedAsset>,
  /** Called with each request whose asset was cached: it may come again. */
  onHit: (parsed: ParsedRequest, context: RequestContext) => void = () => {},
) {
  async function encode(
    parsed: ParsedRequest,
    plain: RenderedAsset | Promise<RenderedAsset>,
    encoding: Encoding,
  ): Promise<RenderedAsset> {
    const asset = await plain
    if (!isCompressible(asset.contentType)) return asset
    return cache.getOrCreate(encodedKey(parsed, encoding), async () => ({
      ...asset,
      encoding,
      body: await compress(encoding, asset.body),
    }))
  }

  return {
    /** Returns the asset in the encoding that the caller prefers. Each is rendered and compressed once while it is cached. */
    render(
      producer: Producer,
      parsed: ParsedRequest,
      context: RequestContext,
    ): RenderedAsset | Promise<RenderedAsset> {
      const cached = cache.get(parsed.key)
      context.logFields.cache = cached === undefined ? 'miss' : 'hit'
      if (cached !== undefined) onHit(parsed, context)
      const plain = cached ?? cache.getOrCreate(parsed.key, () => renderAsset(producer, parsed, context))
      const encoding = negotiateEncoding(context.head.acceptEncoding)
      if (encoding === undefined) return plain
      // Known before, so there is nothing to wait for.
      if (cached !== undefined && !isCompressible(cached.contentType)) return cached
      return (cached && cache.get(encodedKey(parsed, encoding))) ?? encode(parsed, plain, encoding)
    },
    /** Returns what HEAD is answered with: nothing is rendered, so the body is there only if it is cached. */
    head(producer: Producer, parsed: ParsedRequest, { request, logFields }: RequestContext): AssetContent {
      const head = producer.describe(parsed.query)
      const encoding = encodingFor(request, head.contentType)
      const cached = cache.get(encoding === undefined ? parsed.key : encodedKey(parsed, encoding))
      logFields.cache = cached === undefined ? 'miss' : 'hit'
      return cached ?? { ...head, body: null, ...(encoding && { encoding }) }
    },
  }
}

function encodedKey({ key }: ParsedRequest, encoding: Encoding): string {
  return `${key} ${encoding}`
}

/** Renders the asset. It has the head that HEAD gets, so the two cannot differ. */
export function renderAsset(
  producer: Producer,
  { query }: Pick<ParsedRequest, 'query'>,
  context: RequestContext,
): RenderedAsset | Promise<RenderedAsset> {
  const head = producer.describe(query)
  const body = producer.produce(query, context)
  return body instanceof Promise ? body.then((bytes) => ({ ...head, body: bytes })) : { ...head, body }
}
