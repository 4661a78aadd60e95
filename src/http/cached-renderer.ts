import type { Granted } from '../access/authorization.ts'
import type { AssetHead, ProduceContext, Producer } from '../assets/kit/producer.ts'
import type { ByteCache } from '../lib/byte-cache.ts'
import { addressBlock } from '../lib/client-blocks.ts'
import { inTurn } from '../lib/cooperative-scheduler.ts'
import type { Waiter } from '../lib/waiter.ts'
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
    function plain(waiter: Waiter) {
      const shared = new SharedContext(context, waiter)
      return drawings.draw(() => inTurn(() => renderAsset(producer, parsed, shared, head)))
    }
    function packed(waiter: Waiter) {
      const drawn = plain(waiter)
      if (packing === undefined) return drawn
      return drawn instanceof Promise
        ? drawn.then((asset) => encoded(asset, packing))
        : encoded(drawn, packing)
    }
    function draw(waiter: Waiter) {
      return cache.getOrCreate(key, packed, waiter)
    }
    const owner = ownerOf(parsed, context, grant)
    return owner === undefined ? draw(context.waiter) : drawings.drawFor(owner, key, draw, context.waiter)
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
    /** Whether an answer needs no drawing: it is in memory, or being drawn. */
    isKept(parsed: ParsedRequest, { head }: RequestContext): boolean {
      const encoding = negotiateEncoding(head.acceptEncoding)
      return cache.has(parsed.key) || (encoding !== undefined && cache.has(encodedKey(parsed, encoding)))
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

/** The context of a drawing that several calls may share. The first of them stands for all, but for their waits. */
export class SharedContext implements ProduceContext {
  readonly #context: ProduceContext
  readonly waiter: Waiter

  constructor(context: ProduceContext, waiter: Waiter) {
    this.#context = context
    this.waiter = waiter
  }

  get method() {
    return this.#context.method
  }
  get request() {
    return this.#context.request
  }
  get baseUrl() {
    return this.#context.baseUrl
  }
  get clientAddress() {
    return this.#context.clientAddress
  }
  get grant() {
    return this.#context.grant
  }
  get logFields() {
    return this.#context.logFields
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
  context: ProduceContext,
  head: AssetHead = producer.describe(query),
): RenderedAsset | Promise<RenderedAsset> {
  const body = producer.produce(query, context)
  return body instanceof Promise ? body.then((bytes) => ({ ...head, body: bytes })) : { ...head, body }
}
