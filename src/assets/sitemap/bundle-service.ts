import { LRUCache } from 'lru-cache'
import { isStillAhead } from '../../lib/clock.ts'
import { createSingleFlight } from '../../web/single-flight.ts'
import type { Requester } from '../../web/slot-table.ts'
import type { WebFetcher } from '../../web/web-fetcher.ts'
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
  /** Who asks; ourselves when missing. */
  readonly requester?: Requester
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

export function createBundleService({
  fetcher,
  product,
  now,
  cacheBytesMax = 16 * 1_048_576,
}: BundleServiceOptions): BundleService {
  const bundles = new LRUCache<string, { readonly bundle: Bundle; readonly untilMs: number }>({
    maxSize: cacheBytesMax,
    maxEntrySize: cacheBytesMax / 2,
    sizeCalculation: ({ bundle }) =>
      2 * (bundle.robots.length + bundle.sitemap.length + bundle.llms.length) + 2_048,
  })
  const flights = createSingleFlight<Bundle>()
  const listeners = new Map<string, Set<(progress: DiscoveryProgress) => void>>()

  async function listening<T>(
    key: string,
    listener: BundleHooks['onProgress'],
    work: () => Promise<T>,
  ): Promise<T> {
    if (listener === undefined) return work()
    const here = listeners.get(key) ?? new Set()
    listeners.set(key, here.add(listener))
    try {
      return await work()
    } finally {
      here.delete(listener)
      if (here.size === 0 && listeners.get(key) === here) listeners.delete(key)
    }
  }

  async function build(key: string, request: SiteBundleRequest, from: WebFetcher): Promise<Bundle> {
    const { host, ai, crawl, urlsMax, pagesMax } = request
    function onProgress(progress: DiscoveryProgress) {
      for (const listener of listeners.get(key) ?? []) listener(progress)
    }
    const built = await buildBundle(
      { host, ai, crawl },
      { fetcher: from, product, urlsMax, pagesMax, onProgress },
      now(),
    )
    bundles.set(key, { bundle: built, untilMs: now() + built.ttl * 1000 })
    return built
  }

  return {
    async bundle(request, { onProgress, beforeFetch } = {}) {
      const key = JSON.stringify([request.host, request.urlsMax, request.pagesMax, request.ai, request.crawl])
      const known = bundles.get(key)
      if (known !== undefined && isStillAhead(known.untilMs, now(), known.bundle.ttl * 1000))
        return known.bundle
      return listening(key, onProgress, () =>
        flights.join(key, request.requester ?? [], (onBehalfOf) => {
          if (request.crawl) beforeFetch?.()
          return build(key, request, onBehalfOf(fetcher))
        }),
      )
    },
  }
}
