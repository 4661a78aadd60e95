import { LRUCache } from 'lru-cache'
import { dayMs, isStillAhead, isWithin } from '../../lib/clock.ts'
import { WaitEnded } from '../../lib/waiter.ts'
import { operatorRequester, type Requester } from '../../web/requester.ts'
import { createSingleFlight, isCapacityFailure } from '../../web/single-flight.ts'
import type { WebFetcher } from '../../web/web-fetcher.ts'
import { buildBundle } from './build-bundle.ts'
import type { Bundle, BundleRequest } from './bundle.ts'
import type { DiscoveryProgress } from './discover.ts'

export interface SiteBundleRequest extends BundleRequest {
  readonly urlsMax: number
  readonly pagesMax: number
  /** The operator if missing. */
  readonly requester?: Requester
}

export interface BundleHooks {
  /** Called with what was found so far. Not called for an answer from the cache. */
  readonly onProgress?: (progress: DiscoveryProgress) => void
  /** Called before the site is fetched for this request alone. An error that it throws is the result. */
  readonly beforeFetch?: () => void
}

export interface BundleServiceOptions {
  readonly fetcher: WebFetcher
  /** Product token for robots.txt. */
  readonly product: string
  /** Milliseconds since 1970. */
  readonly now: () => number
}

const cacheBytesMax = 16 * 1_048_576

export function createBundleService({ fetcher, product, now }: BundleServiceOptions) {
  const bundles = new LRUCache<string, { readonly bundle: Bundle; readonly untilMs: number }>({
    maxSize: cacheBytesMax,
    maxEntrySize: cacheBytesMax / 2,
    sizeCalculation: ({ bundle }) =>
      2 * (bundle.robots.length + bundle.sitemap.length + bundle.llms.length) + 2_048,
  })
  const inFlight = createSingleFlight<Bundle>()
  const listeners = new Map<string, Set<(progress: DiscoveryProgress) => void>>()

  async function withListener<T>(
    key: string,
    listener: BundleHooks['onProgress'],
    work: () => Promise<T>,
  ): Promise<T> {
    if (listener === undefined) return work()
    const ofKey = listeners.get(key) ?? new Set()
    listeners.set(key, ofKey.add(listener))
    try {
      return await work()
    } finally {
      ofKey.delete(listener)
      if (ofKey.size === 0 && listeners.get(key) === ofKey) listeners.delete(key)
    }
  }

  async function build(key: string, request: SiteBundleRequest, from: WebFetcher): Promise<Bundle> {
    const { urlsMax, pagesMax } = request
    function onProgress(progress: DiscoveryProgress) {
      for (const listener of listeners.get(key) ?? []) listener(progress)
    }
    const options = { fetcher: from, product, urlsMax, pagesMax, onProgress }
    const built = await buildBundle(request, options, now())
    bundles.set(key, { bundle: built, untilMs: now() + built.ttl * 1000 })
    return built
  }

  return {
    /** Rejects with FetchFailure. */
    async bundle(request: SiteBundleRequest, { onProgress, beforeFetch }: BundleHooks = {}): Promise<Bundle> {
      const key = JSON.stringify([request.host, request.urlsMax, request.pagesMax, request.ai, request.crawl])
      const cached = bundles.get(key)
      if (cached !== undefined && isStillAhead(cached.untilMs, now(), cached.bundle.ttl * 1000))
        return cached.bundle
      try {
        return await withListener(key, onProgress, () =>
          inFlight.join(key, request.requester ?? operatorRequester, (onBehalfOf) => {
            if (request.crawl) beforeFetch?.()
            return build(key, request, onBehalfOf(fetcher))
          }),
        )
      } catch (failure) {
        const isUsable = cached !== undefined && isWithin(cached.untilMs, now(), dayMs)
        const isOurs = isCapacityFailure(failure) || failure instanceof WaitEnded
        if (isUsable && isOurs) return cached.bundle
        throw failure
      }
    },
  }
}
