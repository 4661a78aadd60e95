import { LRUCache } from 'lru-cache'
import { isStillAhead } from '../lib/clock.ts'
import type { WebFetcher } from '../web/fetcher.ts'
import type { AiPolicy } from './ai-crawlers.ts'
import { buildBundle } from './build-bundle.ts'
import type { Bundle } from './bundle.ts'
import type { DiscoveryProgress } from './discover.ts'

export interface SiteBundleRequest {
  /** From `normalizeDomain`. */
  readonly host: string
  readonly urlsMax: number
  readonly pagesMax: number
  readonly ai: AiPolicy
  readonly crawl: boolean
}

export interface BundleService {
  bundle(request: SiteBundleRequest, hooks?: BundleHooks): Promise<Bundle>
}

export interface BundleHooks {
  /** Told what was found so far; not called for an answer from memory. */
  readonly onProgress?: (progress: DiscoveryProgress) => void
  /** Called when the site must be asked for this request alone; what it throws is thrown on. */
  readonly beforeFetch?: () => void
}

export interface BundleServiceOptions {
  readonly fetcher: WebFetcher
  /** Product token for robots.txt. */
  readonly product: string
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly cacheBytesMax?: number
}

/** Bundles with memory; equal requests in flight share one look at the site, and each hears of its progress. */
export const createBundleService = ({
  fetcher,
  product,
  now,
  cacheBytesMax = 16 * 1_048_576,
}: BundleServiceOptions): BundleService => {
  const bundles = new LRUCache<string, { readonly bundle: Bundle; readonly untilMs: number }>({
    maxSize: cacheBytesMax,
    maxEntrySize: cacheBytesMax / 2,
    sizeCalculation: ({ bundle }) =>
      2 * (bundle.robots.length + bundle.sitemap.length + bundle.llms.length) + 2_048,
  })
  const flights = new Map<
    string,
    { readonly bundle: Promise<Bundle>; readonly listeners: Set<(progress: DiscoveryProgress) => void> }
  >()

  return {
    async bundle(request, { onProgress, beforeFetch } = {}) {
      const key = JSON.stringify([request.host, request.urlsMax, request.pagesMax, request.ai, request.crawl])
      const known = bundles.get(key)
      if (known !== undefined && isStillAhead(known.untilMs, now(), known.bundle.ttl * 1000))
        return known.bundle
      const current = flights.get(key)
      if (current !== undefined) {
        if (onProgress !== undefined) current.listeners.add(onProgress)
        return current.bundle
      }
      if (request.crawl) beforeFetch?.()
      const listeners = new Set(onProgress === undefined ? [] : [onProgress])
      const { host, ai, crawl, urlsMax, pagesMax } = request
      const tell = (progress: DiscoveryProgress) => {
        for (const listener of listeners) listener(progress)
      }
      const bundle = buildBundle(
        { host, ai, crawl },
        { fetcher, product, urlsMax, pagesMax, onProgress: tell },
        now(),
      )
        .then((built) => {
          bundles.set(key, { bundle: built, untilMs: now() + built.ttl * 1000 })
          return built
        })
        .finally(() => flights.delete(key))
      flights.set(key, { bundle, listeners })
      return bundle
    },
  }
}
