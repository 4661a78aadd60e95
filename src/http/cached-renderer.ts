import type { Granted } from '../access/authorization.ts'
import type { AssetHead, Producer } from '../assets/kit/producer.ts'
import type { ByteCache } from '../lib/byte-cache.ts'
import { addressBlock } from '../lib/client-blocks.ts'
import { inTurn } from '../lib/cooperative-scheduler.ts'
import type { AssetContent } from './asset-response.ts'
import { compress, type Encoding, encodingFor, isCompressible, negotiateEncoding } from './compression.ts'
import type { DrawingOwner, DrawingQueue } from './drawing-queue.ts'
import type { ParsedRequest, RenderedAsset } from './parsed-request.ts'
import type { RequestContext } from './request-context.ts'

export type CachedRenderer = ReturnType<typeof createCachedRenderer>

/**
 * Renders assets through the cache, and notes hits and misses for the log. An answer is kept in the form in which it is sent:
 * a card is three times as long before it is compressed, and hardly anybody asks for it like that.
 */
export function createCachedRenderer(
  cache: ByteCache<RenderedAsset>,
  drawings: DrawingQueue,
  /** Called with each request whose asset was cached: it may come again. */
  onHit: (parsed: ParsedRequest, context: RequestContext) => void = () => {},
) {
  function make(
    producer: Producer,
    parsed: ParsedRequest,
    context: RequestContext,
    grant: Granted,
    encoding: Encoding | undefined,
  ): RenderedAsset | Promise<RenderedAsset> {
    const head = producer.describe(parsed.query)
    const packing = isCompressible(head.contentType) ? encoding : undefined
    const key = packing === undefined ? parsed.key : encodedKey(parsed, packing)
    function plain() {
      return drawings.draw(() => inTurn(() => renderAsset(producer, parsed, context, head)))
    }
    function draw() {
      if (packing === undefined) return cache.getOrCreate(key, plain)
      return cache.getOrCreate(key, () => {
        const drawn = plain()
        return drawn instanceof Promise
          ? drawn.then((asset) => encoded(asset, packing))
          : encoded(drawn, packing)
      })
    }
    const owner = ownerOf(parsed, context, grant)
    return owner === undefined ? draw() : drawings.drawFor(owner, key, draw)
  }

  return {
    /** Returns the asset in the encoding that the caller prefers. */
    render(
      producer: Producer,
      parsed: ParsedRequest,
      context: RequestContext,
      grant: Granted,
    ): RenderedAsset | Promise<RenderedAsset> {
      const encoding = negotiateEncoding(context.head.acceptEncoding)
      const packed = encoding === undefined ? undefined : cache.get(encodedKey(parsed, encoding))
      const cached = packed ?? cache.get(parsed.key)
      context.logFields.cache = cached === undefined ? 'miss' : 'hit'
      if (cached === undefined) return make(producer, parsed, context, grant, encoding)
      onHit(parsed, context)
      if (encoding === undefined || packed !== undefined || !isCompressible(cached.contentType)) return cached
      return cache.getOrCreate(encodedKey(parsed, encoding), () => encoded(cached, encoding))
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

/** The key that a picture is drawn for. A call that `t` signed is a counted call of its own, and needs no bound. */
function ownerOf(
  { credentials }: ParsedRequest,
  { clientAddress }: RequestContext,
  { mode, keyId, siteId, quota }: Granted,
): DrawingOwner | undefined {
  if (mode !== 'key' || keyId === undefined || credentials.signature?.kind === 't') return undefined
  // Strangers who have pages of a site drawn use up none of what the owner of its key has signed.
  return { keyId: siteId ?? keyId, dailyQuota: quota?.limit ?? null, client: addressBlock(clientAddress) }
}

function encoded(plain: RenderedAsset, encoding: Encoding): RenderedAsset | Promise<RenderedAsset> {
  const body = compress(encoding, plain.body)
  return body instanceof Promise
    ? body.then((bytes) => ({ ...plain, encoding, body: bytes }))
    : { ...plain, encoding, body }
}

function encodedKey({ key }: ParsedRequest, encoding: Encoding): string {
  return `${key} ${encoding}`
}

/** Renders the asset. It has the head that HEAD gets, so the two cannot differ. */
export function renderAsset(
  producer: Producer,
  { query }: Pick<ParsedRequest, 'query'>,
  context: RequestContext,
  head: AssetHead = producer.describe(query),
): RenderedAsset | Promise<RenderedAsset> {
  const body = producer.produce(query, context)
  return body instanceof Promise ? body.then((bytes) => ({ ...head, body: bytes })) : { ...head, body }
}
