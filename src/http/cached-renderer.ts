import type { Granted } from '../access/authorization.ts'
import type { DrawingShares } from '../access/drawing-shares.ts'
import type { AssetHead, ProduceContext, Producer } from '../assets/kit/producer.ts'
import { busy } from '../errors.ts'
import type { ByteCache } from '../lib/byte-cache.ts'
import { addressBlock, clientBlocks } from '../lib/client-addresses.ts'
import { type Clock, minuteMs } from '../lib/clock.ts'
import { inTurn } from '../lib/cooperative-scheduler.ts'
import { FairLimiter, LimiterFull } from '../lib/fair-limiter.ts'
import { partOf, SharedWindow } from '../lib/rate-limit.ts'
import { createCoalescer, type QueueClient, type Waiter, waitInQueue, withResult } from '../lib/waiter.ts'
import type { AssetContent } from './asset-response.ts'
import { compress, type Encoding, encodingFor, isCompressible, negotiateEncoding } from './compression.ts'
import type { ParsedRequest, RenderedAsset, RequestContext } from './request-context.ts'

export type CachedRenderer = ReturnType<typeof createCachedRenderer>

/** Answers are kept as they are sent: a card is three times as long uncompressed, and hardly anybody asks for it like that. */
export function createCachedRenderer(
  cache: ByteCache<RenderedAsset>,
  drawings: DrawingQueue,
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
      const shared = sharedContext(context, waiter)
      return drawings.draw(() => inTurn(() => renderAsset(producer, parsed, shared, head)))
    }
    function packed(waiter: Waiter) {
      const drawn = plain(waiter)
      return packing === undefined ? drawn : withResult(drawn, (asset) => encoded(asset, packing))
    }
    function draw(waiter: Waiter) {
      return cache.getOrCreate(key, packed, waiter)
    }
    const owner = ownerOf(parsed, context, grant)
    return owner === undefined ? draw(context.waiter) : drawings.drawFor(owner, key, draw, context.waiter)
  }

  return {
    render(producer: Producer, parsed: ParsedRequest, context: RequestContext, grant: Granted) {
      const encoding = negotiateEncoding(context.head.acceptEncoding)
      const packed = encoding === undefined ? undefined : cache.get(encodedKey(parsed, encoding))
      const cached = packed ?? cache.get(parsed.key)
      context.logFields.cache = cached === undefined ? 'miss' : 'hit'
      if (cached === undefined) return make(producer, parsed, context, grant, encoding)
      onHit(parsed, context)
      if (encoding === undefined || packed !== undefined || !isCompressible(cached.contentType)) return cached
      return cache.getOrCreate(encodedKey(parsed, encoding), () => encoded(cached, encoding))
    },
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
export function sharedContext(context: ProduceContext, waiter: Waiter): ProduceContext {
  return Object.create(context, { waiter: { value: waiter } })
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
  return withResult(compress(encoding, plain.body), (body) => ({ ...plain, encoding, body }))
}

function encodedKey({ key }: ParsedRequest, encoding: Encoding): string {
  return `${key} ${encoding}`
}

export function renderAsset(
  producer: Producer,
  { query }: Pick<ParsedRequest, 'query'>,
  context: ProduceContext,
  head: AssetHead = producer.describe(query),
): RenderedAsset | Promise<RenderedAsset> {
  return withResult(producer.produce(query, context), (body) => ({ ...head, body }))
}

export type DrawingQueue = ReturnType<typeof createDrawingQueue>

interface DrawingOwner {
  readonly keyId: string
  readonly dailyQuota: number | null
  readonly client: string
}

const waitingPerKeyMax = 10

/**
 * Nearly all drawings start at once. One beyond the bound of its key waits for all others, and one such is made at a time.
 * @param patienceMs a busy server never has a moment without drawings: then a late drawing starts after so long
 */
export function createDrawingQueue({ take }: Pick<DrawingShares, 'take'>, patienceMs = 2_000) {
  const underWay = new Set<Promise<unknown>>()
  const lateKeys = createLateKeys()
  const turns = new FairLimiter({ runningMax: 1 })
  const coalesce = createCoalescer<unknown>()

  async function othersDone(): Promise<void> {
    const startMs = performance.now()
    while (underWay.size > 0 && performance.now() - startMs < patienceMs) await Promise.allSettled(underWay)
  }

  async function drawLate<T>({ keyId, client }: DrawingOwner, draw: () => T | Promise<T>, waiter: Waiter) {
    function inTurn() {
      return turns.run({ name: keyId, waiter }, async () => {
        await waitInQueue({ name: keyId, waiter }, othersDone())
        return draw()
      })
    }
    try {
      return await lateKeys.run(keyId, { name: client, waiter }, inTurn)
    } catch (error) {
      if (!(error instanceof LimiterFull)) throw error
      const detail = `The key has used up its drawings of today, and ${waitingPerKeyMax} of its pictures wait to be drawn.`
      throw busy(detail, 5, error)
    }
  }

  return {
    draw<T>(work: () => T | Promise<T>): T | Promise<T> {
      const drawing = work()
      if (!(drawing instanceof Promise)) return drawing
      underWay.add(drawing)
      function end() {
        underWay.delete(drawing as Promise<T>)
      }
      drawing.then(end, end)
      return drawing
    },
    /** Equal pictures of a key are one drawing. `draw` calls the `draw` above if needed. @throws Problem `busy`, WaitEnded */
    drawFor<T>(owner: DrawingOwner, key: string, draw: (waiter: Waiter) => T | Promise<T>, waiter?: Waiter) {
      async function drawCounted(shared: Waiter): Promise<unknown> {
        const isInBound = await take(owner.keyId, owner.dailyQuota)
        return isInBound ? draw(shared) : drawLate(owner, () => draw(shared), shared)
      }
      return coalesce(`${owner.keyId} ${key}`, drawCounted, waiter) as Promise<T>
    },
  }
}

const lateOfKey = { runningMax: 1, waitingMax: waitingPerKeyMax, dropsNewest: true }

/** Late drawings of each key, one at a time. Keys without any take no memory. */
function createLateKeys() {
  const keys = new Map<string, { readonly limiter: FairLimiter; count: number }>()
  return {
    /** Rejects with `LimiterFull` where too many wait, and the client has no fewer of them than the others. */
    async run<T>(keyId: string, client: QueueClient, work: () => Promise<T>): Promise<T> {
      const key = keys.get(keyId) ?? { limiter: new FairLimiter(lateOfKey), count: 0 }
      keys.set(keyId, key)
      key.count += 1
      try {
        return await key.limiter.run(client, work)
      } finally {
        key.count -= 1
        if (key.count === 0) keys.delete(keyId)
      }
    },
  }
}

export type FreeDrawings = ReturnType<typeof createFreeDrawings>

const perClientMax = 60
const overallMax = 600

/** Bounds the pictures that are drawn though nobody pays for them and nothing counts; each process has an equal part. */
export function createFreeDrawings({ now }: Clock, processes = 1) {
  const [clientMax, allMax] = [partOf(perClientMax, processes), partOf(overallMax, processes)]
  const window = new SharedWindow()
  const ownDrawn = new Set<string>()

  function acquire(client: string): boolean {
    window.forget(now())
    const blocks = clientBlocks(client)
    if (window.total >= allMax || !window.isWithin(clientMax, blocks, 1)) return false
    window.add(blocks, 1, now())
    return true
  }

  function claim(client: string): void {
    if (!acquire(client)) throw busy('Too many pictures were drawn again just now.', minuteMs / 1000)
  }

  return {
    acquire,
    claim,
    /** Our pages have a few hundred pictures: the first drawing of each is unbounded, for a first reader. Throws `busy`. */
    claimOwn(picture: string, client: string): void {
      if (ownDrawn.has(picture)) claim(client)
      else ownDrawn.add(picture)
    },
  }
}
