import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { busy, type ParameterError } from '../errors.ts'
import { type Clock, isWithin } from '../lib/clock.ts'
import { LimiterFull } from '../lib/fair-limiter.ts'
import { memo } from '../lib/memo.ts'
import { createCoalescer } from '../lib/waiter.ts'
import { PictureLimited, PictureTooLong } from '../raster/picture-process/picture-drawer.ts'
import { RasterBusy } from '../raster/thread-pool.ts'
import { FetchFailure, fetchProblem } from '../web/fetch-failure.ts'
import { keptValidators, type PageValidators } from '../web/fetched-page.ts'
import type { Requester } from '../web/requester.ts'
import { isCapacityFailure } from '../web/single-flight.ts'
import type { WebFetcher } from '../web/web-fetcher.ts'
import { type CardPage, createKeptSources, noPageStore, type PageStore } from './card/card-pages.ts'
import { soonAgain, usualFreshness } from './card/query.ts'
import { type Grant, type ProduceContext, type ResolvedQuery, unchanged } from './kit/producer.ts'
import type { LivePages } from './live-pages.ts'
import type { BrandPicture } from './og/brand/brand-images.ts'
import {
  heightPxMin,
  type LogoDeps,
  readPicture,
  UploadRefused,
  webPicture,
  widthPxMin,
} from './og/brand/read-upload.ts'
import { isBacked, requesterOf } from './unpaid-fetch.ts'

export type WebPicture = Omit<BrandPicture, 'focus'>

type StoredRow = Parameters<PageStore['setRead']>[0]

export interface WebPictureStore extends Omit<PageStore, 'setRead'> {
  /** @param picture undefined where it is the one that is stored */
  setPicture(row: StoredRow, picture: WebPicture | undefined): void
  picture(digest: string): Promise<WebPicture | undefined>
  /** Counts a new picture of a key or site; returns what undoes that, undefined where it has had as many as it may today. */
  takeNew(owner: string, digest: string): Promise<(() => Promise<void>) | undefined>
}

interface WebPicturesDeps {
  readonly livePages: Pick<LivePages, 'load' | 'checkUrl'>
  readonly pictures: LogoDeps['pictures']
  readonly clock: Clock
  /** Undefined for programs that draw without a server, which read no pictures. */
  readonly store?: WebPictureStore
}

export type WebPictures = ReturnType<typeof createWebPictures>

export interface PictureSource {
  /** The first usable one counts. */
  readonly urls: readonly string[]
  /** A page names pictures that are too small for a card, too. */
  readonly isOfPage: boolean
  /** Nobody asked for it: it may be small, and nothing is said where it is missing. */
  readonly isExtra?: boolean
}

export type Wanted = Readonly<Partial<Record<PictureParameter, PictureSource>>>

export const pictureParameters = ['picture', 'face'] as const
type PictureParameter = (typeof pictureParameters)[number]

interface PictureFacts {
  readonly version: typeof factsVersion
  readonly key: string
  readonly widthPx: number
  readonly heightPx: number
}

/** Raised when pictures are reduced in another way: those that are kept are read again. */
const factsVersion = 1
/** Redirects and all. */
const readMsMax = 3_000
/** One that is too long for callers who do not pay is not read again for them for so long. */
const unpaidFailureMs = 60_000
const cacheBytesMax = 16_777_216

/** Pictures of other sites, reduced to what a card can show: kept for all servers, the latest in memory. */
export function createWebPictures(deps: WebPicturesDeps) {
  const reader = createPictureReader(deps)
  return { ...reader, ...createPictureMeanings(reader, deps) }
}

type PictureReader = ReturnType<typeof createPictureReader>

function createPictureReader({ livePages, pictures, clock, store }: WebPicturesDeps) {
  const bytes = new LRUCache<string, WebPicture>({
    maxSize: cacheBytesMax,
    sizeCalculation: ({ jpeg }) => jpeg.length + 4_096,
  })
  const unpaidFailures = new LRUCache<string, number>({ max: 1_000 })
  const loadOnce = createCoalescer<WebPicture | undefined>()
  const sources = createKeptSources<PictureFacts>({
    clock,
    store: store ?? noPageStore,
    setRead: (row, { key }) => store?.setPicture(row, bytes.peek(key)),
    version: factsVersion,
    tagOf: ({ key }) => key,
    digestOf,
    keepsUnread: false,
    async read({ key: url, value }, { requester }, onBehalfOf, waiter) {
      const isUnpaid = requester.kind === 'unpaid'
      const failedAtMs = isUnpaid ? unpaidFailures.get(url) : undefined
      if (failedAtMs !== undefined && isWithin(failedAtMs, clock.now(), unpaidFailureMs)) throw notNow()
      const { fetcher } = await livePages.load()
      const client = { name: new URL(url).host, waiter }
      const read = await readOne(url, onBehalfOf(fetcher), { pictures, client }, value)
      if (read === 'unpaid') {
        unpaidFailures.set(url, clock.now())
        throw notNow()
      }
      if (read === 'unchanged') return undefined
      const { key, widthPx, heightPx } = read.picture
      bytes.set(key, read.picture)
      return { facts: { version: factsVersion, key, widthPx, heightPx }, tag: key, ...read.validators }
    },
  })

  /** Its bytes are nowhere: it has to be read again. */
  function isLost({ value, isStored }: CardPage<PictureFacts>): boolean {
    return value !== undefined && !isStored && !bytes.has(value.tag)
  }

  /** Names the picture, and its bytes. Null if there is none; undefined if that has to be loaded or read. */
  function peekOne(url: string, { isOfPage, isExtra }: PictureSource): string | null | undefined {
    const source = sources.peek(url)
    const state = source?.state(clock.now())
    if (source === undefined || state === undefined || state.kind === 'unread') return undefined
    if (state.kind === 'failed') return null
    const { key, widthPx, heightPx } = state.facts
    if (isOfPage && !isExtra && (widthPx < widthPxMin || heightPx < heightPxMin)) return null
    return isLost(source) ? undefined : `${key} ${url}`
  }

  function peek(named: PictureSource): string | null | undefined {
    for (const url of named.urls) {
      const found = peekOne(url, named)
      if (found !== null) return found
    }
    return null
  }

  function loading(wanted: Wanted): Promise<void> | undefined {
    const missing = Object.values(wanted)
      .flatMap(({ urls }) => urls)
      .filter((url) => sources.peek(url) === undefined)
    return missing.length === 0 ? undefined : Promise.all(missing.map(sources.load)).then(() => undefined)
  }

  async function readSource(named: PictureSource, requester: Requester, owner = '') {
    for (const url of named.urls) {
      if (peekOne(url, named) === undefined) await readIfAllowed(url, named, requester, owner)
      if (peekOne(url, named) !== null) return
    }
  }

  /** A picture that a page names is shown beyond what may be kept, and for callers behind whom nothing stands. */
  async function readIfAllowed(url: string, named: PictureSource, requester: Requester, owner: string) {
    const source = await sources.at(url)
    if (isLost(source)) source.value = undefined
    if (peekOne(url, named) !== undefined) return
    const isCounted = requester.kind === 'key' && !source.isStored
    const release = isCounted ? await store?.takeNew(owner, source.digest) : undefined
    const isKept = source.isStored || requester.kind === 'paid' || release !== undefined
    if (!isKept && !named.isOfPage) return
    try {
      await sources.read(url, { requester, isKept: () => isKept })
    } catch (error) {
      if (!isCapacityFailure(error)) throw error
    } finally {
      if (source.value === undefined) await release?.()
    }
  }

  /** Reads a picture again in the background if that is long ago. */
  function use(url: string, context: ProduceContext, grant: Grant): void {
    const source = sources.peek(url)
    if (source === undefined) return
    const requester = () => requesterOf(context, grant)
    sources.use(source, { requester, isBacked: isBacked(grant), isKept: () => source.isStored })
  }

  async function read(wanted: Wanted, context: ProduceContext, grant: Grant): Promise<void> {
    const requester = requesterOf(context, grant)
    const owner = grant.siteId ?? grant.keyId
    await Promise.all(Object.values(wanted).map((source) => readSource(source, requester, owner)))
  }

  return {
    peek,
    loading,
    read,
    use,
    /** The picture that a resolved query names; undefined where it names none. @throws Problem where it has changed since */
    async get(reference: string | undefined): Promise<WebPicture | undefined> {
      if (reference === undefined || !isReference.test(reference)) return undefined
      const [key, url] = [reference.slice(0, reference.indexOf(' ')), urlOf(reference)]
      const known = bytes.get(key)
      if (known !== undefined) return known
      const stored = await loadOnce(url, async () => store?.picture(digestOf(url)))
      if (stored?.key === key) {
        bytes.set(key, stored)
        return stored
      }
      const source = sources.peek(url)
      if (source?.value?.tag === key) source.value = undefined
      throw busy('A picture of the card has just changed.', 1)
    },
    renew: sources.renew,
    reload: sources.reload,
    flush: sources.flush,
  }
}

function createPictureMeanings(
  { peek, loading, read, use }: PictureReader,
  { livePages, store }: WebPicturesDeps,
) {
  /** The meaning of a query with these pictures, as far as it is known without reading any; undefined if one has to be read. */
  function meaning(wanted: Wanted, meant: ResolvedQuery, wasRead = false): ResolvedQuery | undefined {
    const found = pictureParameters.flatMap((name) => {
      const source = wanted[name]
      return source === undefined ? [] : [{ name, source, reference: peek(source) }]
    })
    if (found.length === 0) return meant
    if (!wasRead && found.some(({ reference }) => reference === undefined)) return undefined
    const missed = found
      .filter(({ reference, source }) => reference == null && source.isExtra !== true)
      .map(({ source }) => source)
    const source = meant.headers?.['x-card-source'] ?? 'query'
    const isTold = missed.length > 0 && (source !== 'kept' || missed.some(({ isOfPage }) => !isOfPage))
    const pictures = found.map(({ name, source: { isExtra }, reference }) => {
      return [name, reference ?? (isExtra ? undefined : missingPicture)]
    })
    return {
      ...meant,
      replaced: { ...meant.replaced, ...Object.fromEntries(pictures) },
      isCurrent: () =>
        meant.isCurrent() &&
        found.every(({ source, reference }) => reference !== undefined && peek(source) === reference),
      headers: cardHeaders(isTold ? `${source}; picture=none` : source, meant.headers?.['x-card-template']),
      freshness: missed.some(({ urls }) => urls.length > 0) ? soonAgain : usualFreshness,
      use(context, grant) {
        meant.use?.(context, grant)
        for (const { reference } of found) if (reference != null) use(urlOf(reference), context, grant)
      },
    }
  }

  function unread(wanted: Wanted, meant: ResolvedQuery): ResolvedQuery {
    return {
      ...meant,
      key: 'unknown',
      isCurrent: () => false,
      freshness: usualFreshness,
      recheck() {
        const checks = [meant.recheck(), loading(wanted)].filter((check) => check !== undefined)
        return checks.length === 0 ? undefined : Promise.all(checks).then(() => undefined)
      },
      async find(context, grant) {
        await read(wanted, context, grant)
        return meaning(wanted, meant, true) ?? meant
      },
    }
  }

  /** The URL that a parameter names. @throws Problem for one that is refused before its host is looked up */
  function named(parameter: PictureParameter, url: string): PictureSource {
    try {
      livePages.checkUrl(url)
    } catch (error) {
      throw fetchProblem(error, parameter)
    }
    return { urls: [url], isOfPage: false }
  }

  return {
    meaning,
    named,
    /** Adds the pictures that a query names by URL to what it means. */
    resolve(
      query: { readonly [Name in PictureParameter]?: string | undefined },
      meant?: ResolvedQuery,
    ): ResolvedQuery | ParameterError | undefined {
      const names = pictureParameters.filter((name) => isPictureUrl(query[name]))
      const [first] = names
      if (first === undefined) return meant
      if (store === undefined)
        return { parameter: first, message: 'by URL is read by a server only; give a data: URL here' }
      const wanted: Wanted = Object.fromEntries(names.map((name) => [name, named(name, query[name] ?? '')]))
      const resolved = meaning(wanted, meant ?? unchanged) ?? unread(wanted, meant ?? unchanged)
      return { ...resolved, notByDemo: names.map(notByDemo) }
    },
  }
}

export function notByDemo(parameter: PictureParameter): ParameterError {
  return { parameter, message: 'by URL is for signed and paid calls, not with demo=1' }
}

export function isPictureUrl(value: string | undefined): value is string {
  return value !== undefined && /^https:/i.test(value)
}

/** In the place of a picture that could not be had. */
const missingPicture = ''
const isReference = /^[0-9a-f]{64} /

function urlOf(reference: string): string {
  return reference.slice(reference.indexOf(' ') + 1)
}

function digestOf(url: string): string {
  return hash('sha256', `picture ${url}`, 'hex').slice(0, 32)
}

/** One object for each value, because templates of headers are found by it. @param template the drawn one, where one was asked for */
export function cardHeaders(source: string, template = ''): Readonly<Record<string, string>> {
  return headersOf(`${source}|${template}`)
}

const headersOf = memo((named: string): Readonly<Record<string, string>> => {
  const [source = '', template = ''] = named.split('|')
  return { 'x-card-source': source, ...(template !== '' && { 'x-card-template': template }) }
})

/** `unpaid` where nothing pays for so many bytes. Rejects with FetchFailure where there is no picture for a card. */
async function readOne(
  url: string,
  fetcher: WebFetcher,
  logo: LogoDeps,
  validators: PageValidators | undefined,
) {
  try {
    const chunks: Uint8Array[] = []
    const page = await fetcher.fetchPage(url, {
      accept: 'image/png,image/*;q=0.9',
      bodyBytesMax: webPicture.bytesMax,
      totalMsMax: readMsMax,
      ...(validators !== undefined && { validators }),
      sink: () => ({ write: (chunk) => chunks.push(chunk) > 0, isUseful: () => false }),
    })
    if (page.status === 304) return 'unchanged'
    if (page.isUnpaidPart) return 'unpaid'
    if (page.truncated) throw new FetchFailure('too_large')
    const picture = await readPicture(Buffer.concat(chunks), logo, webPicture)
    return { picture, validators: keptValidators(page) }
  } catch (error) {
    throw failureOf(error)
  }
}

function notNow(): FetchFailure {
  return new FetchFailure('too_busy')
}

/** A picture that cannot be used is one that its site has not, whatever the reason; one that cannot be drawn now comes later. */
function failureOf(error: unknown): unknown {
  if (error instanceof FetchFailure)
    return isCapacityFailure(error) ? error : new FetchFailure(error.reason, { code: 'upstream_failed' })
  const isUnusable = [UploadRefused, PictureLimited, PictureTooLong].some((kind) => error instanceof kind)
  if (isUnusable) return new FetchFailure('no_value')
  return error instanceof RasterBusy || error instanceof LimiterFull ? notNow() : error
}
