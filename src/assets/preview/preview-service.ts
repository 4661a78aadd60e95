import { LRUCache } from 'lru-cache'
import { isStillAhead } from '../../lib/clock.ts'
import { WaitEnded } from '../../lib/waiter.ts'
import { createAddressPolicy } from '../../web/address-policy.ts'
import { FetchFailure } from '../../web/fetch-failure.ts'
import { inBackground, operatorRequester, type Requester } from '../../web/requester.ts'
import { createSingleFlight, isCapacityFailure } from '../../web/single-flight.ts'
import { checkUrl } from '../../web/url-rules.ts'
import type { WebFetcher } from '../../web/web-fetcher.ts'
import { type FreshPreview, fetchPreview } from './fetch-preview.ts'
import type { Preview } from './preview.ts'

export interface PreviewRequest {
  readonly url: string
  /** Sent as Accept-Language. */
  readonly lang?: string
  /** Fetches the page even if it is cached. */
  readonly fresh?: boolean
  /** The operator if missing. */
  readonly requester?: Requester
  /** Called before the page is fetched for this request alone. An error that it throws is the result. */
  readonly beforeFetch?: () => void
}

export type PreviewService = ReturnType<typeof createPreviewService>

export interface PreviewServiceOptions {
  readonly fetcher: WebFetcher
  readonly allowPorts?: readonly number[]
  /** Address ranges beyond the public internet to which links of a page may lead. */
  readonly allowCidrs?: readonly string[]
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly cacheBytesMax?: number
}

export function createPreviewService(options: PreviewServiceOptions) {
  const { fetcher, allowCidrs, now, cacheBytesMax = 16 * 1_048_576 } = options
  const { isAllowlisted: allowsAddress } = createAddressPolicy(allowCidrs)
  const cache = createPreviewCache(cacheBytesMax, now)
  const inFlight = createSingleFlight<CachedPreview>()

  async function fetchAndCache(key: string, { url, lang }: PreviewRequest, from: WebFetcher) {
    try {
      return cache.set(
        key,
        await fetchPreview(url, { fetcher: from, now, allowsAddress, ...(lang !== undefined && { lang }) }),
      )
    } catch (failure) {
      if (failure instanceof FetchFailure && saysSomething(failure)) cache.setFailure(key, failure)
      throw failure
    }
  }

  function fetchOnce(key: string, request: PreviewRequest): Promise<CachedPreview> {
    return inFlight.join(key, request.requester ?? operatorRequester, (onBehalfOf) => {
      request.beforeFetch?.()
      return fetchAndCache(key, request, onBehalfOf(fetcher))
    })
  }

  return {
    /**
     * Returns what `preview` would return from the cache, or undefined if it would fetch the page. Throws FetchFailure for
     * an invalid URL and for a page that failed within the last minute.
     */
    peek({
      url: rawUrl,
      lang,
      fresh = false,
    }: Pick<PreviewRequest, 'url' | 'lang' | 'fresh'>): Preview | undefined {
      const key = keyOf(checkUrl(rawUrl, options).href, lang)
      if (fresh) return undefined
      const cached = cache.get(key)
      const failure = cache.recentFailure(key)
      const staleMsMax = failure === undefined ? staleWhileRevalidateMsMax(cached) : staleIfErrorMs
      if (cached !== undefined && cache.staleMs(cached) < staleMsMax)
        return cache.toPreview(cached, cache.staleMs(cached) < 0 ? 'hit' : 'stale')
      if (failure !== undefined) throw failure
      return undefined
    },

    /** Rejects with FetchFailure, for which nobody pays. */
    async preview({ url: rawUrl, fresh = false, ...rest }: PreviewRequest): Promise<Preview> {
      const request = { ...rest, url: checkUrl(rawUrl, options).href }
      const key = keyOf(request.url, request.lang)
      const kept = fresh ? undefined : cache.get(key)
      const cached = kept !== undefined && isWhole(kept, request) ? kept : undefined
      const failure = fresh ? undefined : cache.recentFailure(key)
      const staleMs = cached === undefined ? Number.POSITIVE_INFINITY : cache.staleMs(cached)
      if (cached !== undefined && staleMs < 0) return cache.toPreview(cached, 'hit')
      if (cached !== undefined && staleMs < staleWhileRevalidateMsMax(cached)) {
        const { beforeFetch: _, requester = operatorRequester, ...rest } = request
        const revalidation = { ...rest, requester: inBackground(requester) }
        if (failure === undefined) fetchOnce(key, revalidation).catch(() => {})
        return cache.toPreview(cached, 'stale')
      }
      try {
        if (failure !== undefined) throw failure
        const fetched = await fetchOnce(key, request)
        return cache.toPreview(isWhole(fetched, request) ? fetched : await fetchOnce(key, request), 'miss')
      } catch (error) {
        const isUsable = cached !== undefined && cache.staleMs(cached) < staleIfErrorMs
        const isExpected = error instanceof FetchFailure || error instanceof WaitEnded
        if (isUsable && isExpected) return cache.toPreview(cached, 'stale')
        throw error
      }
    },
  }
}

/** Returns whether nothing is left out that the requester gets: less of a page is read where nothing pays for it. */
function isWhole({ preview }: CachedPreview, { requester = operatorRequester }: PreviewRequest): boolean {
  return !preview.isUnpaidPart || requester.kind === 'unpaid'
}

/** Returns whether a failure is that of the site, so that it would fail again. */
function saysSomething(failure: FetchFailure): boolean {
  return !isCapacityFailure(failure) && failure.reason !== 'too_complex'
}

function keyOf(url: string, lang: string | undefined): string {
  return `${lang ?? ''} ${url}`
}

/** A page that was cut is read again instead. */
function staleWhileRevalidateMsMax(cached: CachedPreview | undefined): number {
  return cached?.preview.truncated === true ? 0 : staleWhileRevalidateMs
}

const staleWhileRevalidateMs = 86_400_000
const staleIfErrorMs = 7 * 86_400_000

interface CachedPreview {
  readonly preview: FreshPreview
  readonly storedAtMs: number
}

/** Previews within a bound of bytes, and the recent failures. Times are milliseconds. */
function createPreviewCache(bytesMax: number, now: () => number) {
  const entries = new LRUCache<string, CachedPreview>({
    maxSize: bytesMax,
    maxEntrySize: 262_144,
    sizeCalculation: ({ preview }, key) => key.length + JSON.stringify(preview).length * 2,
  })
  const failures = new LRUCache<string, { readonly failure: FetchFailure; readonly untilMs: number }>({
    max: 2_000,
  })

  return {
    get: (key: string) => entries.get(key),
    set(key: string, preview: FreshPreview): CachedPreview {
      const entry = { preview, storedAtMs: now() }
      entries.set(key, entry)
      failures.delete(key)
      return entry
    },
    /** A failure of the last minute: its site is not asked again. */
    recentFailure(key: string): FetchFailure | undefined {
      const failed = failures.get(key)
      return failed !== undefined && isStillAhead(failed.untilMs, now(), failureMs)
        ? failed.failure
        : undefined
    },
    setFailure(key: string, failure: FetchFailure): void {
      failures.set(key, { failure, untilMs: now() + failureMs })
    },
    /** How long the preview is past its time to live; negative while it is fresh. */
    staleMs: ({ preview, storedAtMs }: CachedPreview) =>
      Math.abs(now() - storedAtMs) - preview.ttlSeconds * 1000,
    /** The answer for a preview from the cache, or for one that was just fetched. */
    toPreview(
      { preview: { ttlSeconds, isUnpaidPart: _, ...fields }, storedAtMs }: CachedPreview,
      state: Preview['cache']['state'],
    ): Preview {
      const age = Math.max(0, Math.floor((now() - storedAtMs) / 1000))
      return { ...fields, cache: { state, age, ttl: ttlSeconds } }
    },
  }
}

const failureMs = 60_000
