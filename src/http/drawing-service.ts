import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Granted, notAllowed } from '../access/authorization.ts'
import type { AssetParts } from '../assets/asset-parts.ts'
import type { ServedAsset } from '../assets/kit/asset.ts'
import type { Grant, ProduceContext } from '../assets/kit/producer.ts'
import type { CardBrand } from '../assets/og/brand/card-brand.ts'
import type { Card, CardParams } from '../assets/og/card-renderer.ts'
import type { PixelPicture } from '../assets/og/drawing-pool.ts'
import { fileHead, throwBusy, unlessBusy } from '../assets/picture-files.ts'
import { invalidQuery, Problem } from '../errors.ts'
import type { Body } from '../lib/body.ts'
import type { ByteCache } from '../lib/byte-cache.ts'
import { FairLimiter } from '../lib/fair-limiter.ts'
import type { QueueClient, Waiter } from '../lib/waiter.ts'
import type { Scene } from '../raster/scene.ts'
import { type DrawingQueue, type FreeDrawings, renderAsset, sharedContext } from './cached-renderer.ts'
import type { ParsedRequest, RenderedAsset, RequestContext } from './request-context.ts'
import { createRequestParser } from './request-parser.ts'
import { inertSvg } from './responses.ts'

export interface DrawingServiceDeps {
  readonly raster: Pick<AssetParts['raster'], 'cardSvg' | 'cardPicture' | 'cardLayout' | 'scenePicture'>
  readonly assets: readonly ServedAsset[]
  readonly cache: ByteCache<RenderedAsset>
  readonly drawings: Pick<DrawingQueue, 'draw'>
  readonly freeDrawings: FreeDrawings
}

/** The person a picture is drawn for who is no caller of the API, which decides its bound and its turn. */
export type DrawnFor =
  /** A reader of our pages, by address: the first drawing of each of our pictures is outside the bound. */
  | { readonly for: 'page'; readonly client: string }
  /** A visitor with input of their own. `isCounted`: their quota pays for the drawing. */
  | {
      readonly for: 'visitor'
      readonly client: string
      readonly granted: Granted
      readonly isCounted: boolean
    }
  /** The operator, by session: few pictures are drawn at once, and the sessions take turns. */
  | { readonly for: 'operator'; readonly client: QueueClient }

export interface DrawnAsset {
  readonly rendered: RenderedAsset
  readonly durationMs: number
  readonly isCached: boolean
  readonly cacheSeconds: number
}

export interface LooseCard {
  readonly params: CardParams
  readonly brand: CardBrand
  readonly pixels?: PixelPicture | undefined
  /** Equal keys mean equal bytes. A card without one is not cached. */
  readonly key?: string
}

export type DrawingService = ReturnType<typeof createDrawingService>

const ownGrant: Granted = { granted: true, mode: 'demo', refund: async () => {} }

/** Draws for people who are no callers of the API, through the callers' cache and within a bound by who asks. */
export function createDrawingService(deps: DrawingServiceDeps) {
  const { assets, cache, drawings, freeDrawings, raster } = deps
  const parser = createRequestParser(assets)
  const operatorTurns = new FairLimiter({ runningMax: 2, waitingMax: 100 })

  async function bounded<T>(who: DrawnFor, work: () => T | Promise<T>, key = ''): Promise<T> {
    if (who.for === 'operator') {
      async function workInTurn(): Promise<T> {
        // Several pictures in one turn of the event loop would be a stall that calls feel.
        await nextTurn()
        return drawings.draw(work)
      }
      return await operatorTurns.run(who.client, workInTurn).catch(throwBusy)
    }
    if (who.for === 'page') freeDrawings.claimOwn(key, who.client)
    else if (!who.isCounted) freeDrawings.claim(who.client)
    return await drawings.draw(work)
  }

  async function cached(
    who: DrawnFor,
    key: string,
    make: (waiter: Waiter) => RenderedAsset | Promise<RenderedAsset>,
    waiter?: Waiter,
  ): Promise<RenderedAsset> {
    const draw = () => cache.getOrCreate(key, make, waiter)
    return cache.has(key) ? await draw() : await bounded(who, draw, key)
  }

  async function pixelsOf(scene: Scene, { widthPx, encoding }: PixelPicture, client: QueueClient) {
    const body = await unlessBusy(raster.scenePicture(scene, widthPx, encoding, client))
    return { ...fileHead(encoding.format, 'picture'), body }
  }

  async function drawCard({ params, brand, pixels }: LooseCard, client: QueueClient): Promise<RenderedAsset> {
    const card = { params, brand, client }
    const drawing = pixels === undefined ? raster.cardSvg(card) : raster.cardPicture(card, pixels)
    return { ...fileHead(pixels?.encoding.format ?? 'svg', 'card'), body: await unlessBusy<Body>(drawing) }
  }

  /** Reads the query of an asset as a request for its public URL. Throws the `Problem` that a caller would get. */
  function read(context: RequestContext, who: DrawnFor['for']): ParsedRequest {
    const parsed = parser.read(context)
    const { keyIds, unlessAnswered, notByDemo } = parsed.resolved ?? {}
    if (who === 'operator') return parsed
    // Readers of our pages have no key, so restricted brands are not for them.
    if (keyIds !== undefined)
      throw new Problem(notAllowed.error, notAllowed.detail, { errors: notAllowed.errors })
    // A signature grants nothing here.
    const mistakes = unlessAnswered ?? notByDemo
    if (mistakes !== undefined) throw invalidQuery(mistakes)
    return parsed
  }

  /** A request for the asset's public URL, by the page that shows it. Own log fields keep it out of the statistics. */
  function contextFor(assetId: string, rawQuery: string, page: RequestContext): RequestContext {
    const asset = assets.find((served) => served.asset.id === assetId)?.asset
    if (asset === undefined) throw new Problem('not_found', 'There is no such asset.')
    const { clientAddress, waiter } = page
    return { ...page, clientAddress, waiter, path: asset.path, rawQuery, logFields: {} }
  }

  return {
    bounded,
    cardLayout: (card: Card) => raster.cardLayout(card).catch(throwBusy),
    pixelsOf,
    /** Draws an asset that the page of `page` shows. Throws the `Problem` that a caller of the API would get, or `busy`. */
    async asset(assetId: string, rawQuery: string, page: RequestContext, who: DrawnFor): Promise<DrawnAsset> {
      const startMs = performance.now()
      // A plain GET: method and headers of the request are the page's. Nothing reads its host.
      const request = new Request('http://mintmark/')
      const context: RequestContext = { ...contextFor(assetId, rawQuery, page), method: 'GET', request }
      const granted = who.for === 'visitor' ? who.granted : ownGrant
      // A list of the operator's starts no request to another site.
      const parsed =
        who.for === 'operator'
          ? read(context, who.for)
          : await meantRequest(() => read(context, who.for), context, granted)
      const { producer, query, asset, key, cacheSeconds } = parsed
      if ('answer' in producer)
        return bufferLiveResponse(await producer.answer(query, context, granted), startMs)
      const make = (waiter: Waiter) => renderAsset(producer, parsed, sharedContext(context, waiter))
      const isFree = asset.priceMicros === undefined
      const isCached = !isFree && cache.get(key) !== undefined
      const rendered = isFree ? await make(context.waiter) : await cached(who, key, make, context.waiter)
      return { rendered, durationMs: performance.now() - startMs, isCached, cacheSeconds }
    },
    card: (card: LooseCard, who: DrawnFor): Promise<RenderedAsset> =>
      card.key === undefined
        ? bounded(who, () => drawCard(card, who.client))
        : cached(who, card.key, () => drawCard(card, who.client)),
    /** The request that a page's asset is, for what is to be known of it before it is drawn. */
    read(assetId: string, rawQuery: string, page: RequestContext) {
      const context = contextFor(assetId, rawQuery, page)
      return { context, parsed: read(context, 'visitor') }
    },
  }
}

async function bufferLiveResponse(response: Response, startMs: number): Promise<DrawnAsset> {
  const body = new Uint8Array(await response.arrayBuffer())
  const maxAge = /max-age=(\d+)/.exec(response.headers.get('cache-control') ?? '')?.[1]
  return {
    rendered: { body, contentType: response.headers.get('content-type') ?? '', filename: 'answer' },
    durationMs: performance.now() - startMs,
    isCached: false,
    cacheSeconds: Number(maxAge ?? 0),
  }
}

/** The response for a picture of our pages. SVG in it is inert where somebody opens it. */
export function drawnResponse(
  { body, contentType }: Pick<RenderedAsset, 'contentType'> & { readonly body: Body | null },
  cacheControl: string,
): Response {
  const headers = {
    'content-type': contentType,
    'content-security-policy': inertSvg,
    'cache-control': cacheControl,
  }
  return new Response(body, { headers })
}

/** Returns a granted request once it is known what it means. Rejects if that cannot be found. */
async function meantRequest(parse: () => ParsedRequest, context: ProduceContext, grant: Grant) {
  await parse().resolved?.recheck()
  const parsed = parse()
  const { resolved } = parsed
  return resolved?.find === undefined ? parsed : parsed.withMeaning(await resolved.find(context, grant))
}
