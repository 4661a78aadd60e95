import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { dayMs, isStillAhead, isWithin } from '../../lib/clock.ts'
import { createCpuBudget } from '../../lib/cooperative-scheduler.ts'
import { WaitEnded } from '../../lib/waiter.ts'
import { FetchFailure } from '../../web/fetch-failure.ts'
import { operatorRequester, type Requester } from '../../web/requester.ts'
import { createSingleFlight, isCapacityFailure } from '../../web/single-flight.ts'
import type { WebFetcher } from '../../web/web-fetcher.ts'
import { type Bundle, type BundleFile, type BundleRequest, fileTypes } from './bundle.ts'
import { type Discovery, type DiscoveryOptions, type DiscoveryProgress, discover } from './discover.ts'
import type { LlmsPage } from './llms-places.ts'
import { installWarning, writeRobots } from './robots.ts'
import { llmsSteps } from './write-llms.ts'
import { type SitemapEntry, sitemapChunks } from './write-sitemap.ts'

export interface SiteBundleRequest extends BundleRequest {
  readonly urlsMax: number
  readonly pagesMax: number
  readonly requester?: Requester
}

export interface BundleHooks {
  readonly onProgress?: (progress: DiscoveryProgress) => void
  /** Called before the site is fetched for this request alone. An error that it throws is the result. */
  readonly beforeFetch?: () => void
}

export interface BundleServiceOptions {
  readonly fetcher: WebFetcher
  readonly product: string
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
      const key = JSON.stringify([
        request.host,
        request.urlsMax,
        request.pagesMax,
        request.ai,
        request.signals,
        request.crawl,
      ])
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

/** Discovers a site and writes its files; a template if the site cannot be reached. Rejects with FetchFailure. */
export async function buildBundle(
  request: BundleRequest,
  options: Omit<DiscoveryOptions, 'nowMs'>,
  nowMs: number,
): Promise<Bundle> {
  const template = templateParts(request, nowMs)
  if (!request.crawl) return assembleBundle(template)
  try {
    return await assembleBundle({
      ...template,
      ...discoveredParts(await discover(request.host, { ...options, nowMs })),
    })
  } catch (failure) {
    if (!(failure instanceof FetchFailure) || ownReasons.has(failure.reason)) throw failure
    return assembleBundle({
      ...template,
      counts: { ...template.counts, requests: 1 },
      warnings: [`unreachable: ${failure.message} The files are a template.`],
    })
  }
}

/** Reasons that say nothing about the site, so that a template would be wrong. */
const ownReasons: ReadonlySet<string> = new Set(['self_request', 'denied_domain', 'too_busy', 'target_busy'])
const ttlSeconds = 21_600
const templateTtlSeconds = 600
/** For a site that was not looked at to its end, because it may be asked for more in a minute. */
const cutTtlSeconds = 60

function templateParts(request: BundleRequest, nowMs: number): BundleParts {
  const origin = `https://${request.host}`
  return {
    request,
    nowMs,
    origin,
    mode: 'template',
    entries: [{ loc: `${origin}/` }],
    pages: [{ url: `${origin}/` }],
    counts: { urls: 1, pages: 0, requests: 0 },
    warnings: [],
    ttl: templateTtlSeconds,
  }
}

/** Replaces parts of the template: the files that exist and, if any page was found, its description. */
function discoveredParts(discovery: Discovery): Partial<BundleParts> {
  const { origin, robots, llms, namedUrls, pages, pageCount, homePage, requests, warnings } = discovery
  const entries = discovery.entries.length > 0 ? discovery.entries : [{ loc: `${origin}/` }]
  const counts = { urls: entries.length, pages: pageCount, requests }
  const cutTtl = discovery.isCut ? { ttl: cutTtlSeconds } : undefined
  const existing = { origin, robots: robots.text, llms, namedUrls, entries, counts, ...cutTtl }
  if (discovery.entries.length === 0 && pageCount === 0) {
    const nothing = 'nothing_found: no page could be listed. The sitemap is a template.'
    return { ...existing, pages: [{ url: `${origin}/` }], warnings: [...warnings, nothing] }
  }
  return {
    ...existing,
    mode: discovery.fromSitemap ? 'sitemap+crawl' : 'crawl',
    name: discovery.siteName ?? homePage?.title,
    summary: homePage?.description,
    language: homePage?.language,
    pages,
    warnings,
    ttl: ttlSeconds,
    ...cutTtl,
  }
}

interface BundleParts extends Pick<Bundle, 'origin' | 'mode' | 'counts' | 'ttl'> {
  readonly request: BundleRequest
  readonly nowMs: number
  readonly entries: readonly SitemapEntry[]
  readonly robots?: string | undefined
  readonly llms?: string | undefined
  /** Sitemaps that the site's robots.txt names and that could be read. */
  readonly namedUrls?: readonly string[]
  readonly name?: string | undefined
  readonly summary?: string | undefined
  readonly language?: string | undefined
  readonly pages: readonly LlmsPage[]
  readonly warnings: readonly string[]
}

/** Writes the three files and their checksums, in steps of the cooperative scheduler. */
async function assembleBundle(parts: BundleParts): Promise<Bundle> {
  const { request, origin, name, summary, language, pages } = parts
  const budget = createCpuBudget()
  const sitemapUrl = `${origin}/sitemap.xml`
  const robotsRequest = {
    sitemapUrl,
    ai: request.ai,
    signals: request.signals,
    namedUrls: parts.namedUrls ?? [],
    ...(parts.robots !== undefined && { existing: parts.robots }),
  }
  const robots = await writeRobots(robotsRequest)
  const installation = parts.robots === undefined ? undefined : installWarning(robotsRequest)
  const sitemap = await budget.run(joinChunks(sitemapChunks(parts.entries)))
  const { host } = new URL(origin)
  const written =
    parts.llms === undefined
      ? await budget.run(llmsSteps({ host, name, summary, language, sitemapUrl, pages }))
      : { text: parts.llms, listed: pages.length }
  const llms = written.text
  const leftOut = written.listed < pages.length
  const robotsSource =
    parts.robots === undefined ? 'generated' : parts.robots === robots ? 'existing' : 'existing+generated'
  return {
    domain: request.host,
    origin,
    mode: parts.mode,
    robots,
    sitemap,
    llms,
    files: [
      await budget.run(fileOf('robots.txt', robots, robotsSource)),
      await budget.run(fileOf('sitemap.xml', sitemap, 'generated')),
      await budget.run(fileOf('llms.txt', llms, parts.llms === undefined ? 'generated' : 'existing')),
    ],
    counts: parts.counts,
    warnings: [
      ...parts.warnings,
      ...(installation === undefined ? [] : [installation]),
      ...(leftOut ? [`llms_limit: llms.txt lists ${written.listed} of ${pages.length} pages`] : []),
    ],
    generated_at: new Date(parts.nowMs).toISOString(),
    ttl: parts.ttl,
  }
}

function* joinChunks(chunks: Iterable<string>): Generator<void, string> {
  let text = ''
  for (const chunk of chunks) {
    text += chunk
    yield
  }
  return text
}

function* fileOf(
  name: BundleFile['name'],
  text: string,
  source: BundleFile['source'],
): Generator<void, BundleFile> {
  const content = Buffer.from(text)
  const hash = createHash('sha256')
  for (let at = 0; at < content.length; at += hashBytes) {
    hash.update(content.subarray(at, at + hashBytes))
    yield
  }
  return { name, content_type: fileTypes[name], bytes: content.length, sha256: hash.digest('hex'), source }
}

const hashBytes = 262_144
