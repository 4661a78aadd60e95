import { createHash } from 'node:crypto'
import { EventEmitter } from 'node:events'
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
import { installWarning, writeRobots } from './robots.ts'
import { llmsSteps } from './write-llms.ts'
import { sitemapSteps } from './write-sitemap.ts'

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

const cacheBytesMax = 16 * 1_048_576

export function createBundleService(fetcher: WebFetcher, product: string, now: () => number) {
  const bundles = new LRUCache<string, { readonly bundle: Bundle; readonly untilMs: number }>({
    maxSize: cacheBytesMax,
    maxEntrySize: cacheBytesMax / 2,
    sizeCalculation: ({ bundle }) =>
      2 * (bundle.robots.length + bundle.sitemap.length + bundle.llms.length) + 2_048,
  })
  const inFlight = createSingleFlight<Bundle>()
  const progressOf = new EventEmitter<Record<string, [DiscoveryProgress]>>().setMaxListeners(0)

  async function build(key: string, request: SiteBundleRequest, from: WebFetcher): Promise<Bundle> {
    const { urlsMax, pagesMax } = request
    const onProgress = (progress: DiscoveryProgress) => void progressOf.emit(key, progress)
    const options = { fetcher: from, product, urlsMax, pagesMax, onProgress }
    const built = await buildBundle(request, options, now())
    bundles.set(key, { bundle: built, untilMs: now() + built.ttl * 1000 })
    return built
  }

  return {
    async bundle(request: SiteBundleRequest, { onProgress, beforeFetch }: BundleHooks = {}): Promise<Bundle> {
      const { requester = operatorRequester, ...meant } = request
      const key = JSON.stringify(meant)
      const cached = bundles.get(key)
      if (cached !== undefined && isStillAhead(cached.untilMs, now(), cached.bundle.ttl * 1000))
        return cached.bundle
      if (onProgress !== undefined) progressOf.on(key, onProgress)
      try {
        return await inFlight.join(key, requester, (onBehalfOf) => {
          if (request.crawl) beforeFetch?.()
          return build(key, request, onBehalfOf(fetcher))
        })
      } catch (failure) {
        const isUsable = cached !== undefined && isWithin(cached.untilMs, now(), dayMs)
        const isOurs = isCapacityFailure(failure) || failure instanceof WaitEnded
        if (isUsable && isOurs) return cached.bundle
        throw failure
      } finally {
        if (onProgress !== undefined) progressOf.off(key, onProgress)
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
  if (!request.crawl) return assembleBundle(request, nowMs, undefined)
  try {
    return await assembleBundle(request, nowMs, await discover(request.host, { ...options, nowMs }))
  } catch (failure) {
    if (!(failure instanceof FetchFailure) || ownReasons.has(failure.reason)) throw failure
    const warning = `unreachable: ${failure.message} The files are a template.`
    return assembleBundle(request, nowMs, undefined, 1, [warning])
  }
}

/** Reasons that say nothing about the site, so that a template would be wrong. */
const ownReasons: ReadonlySet<string> = new Set(['self_request', 'denied_domain', 'too_busy', 'target_busy'])
const ttlSeconds = 21_600
const templateTtlSeconds = 600
/** For a site that was not looked at to its end, because it may be asked for more in a minute. */
const cutTtlSeconds = 60

/** Writes the three files and their checksums. @param found undefined for a template, which a site without a page that could be listed gets too */
async function assembleBundle(
  request: BundleRequest,
  nowMs: number,
  found: Discovery | undefined,
  requests = found?.requests ?? 0,
  warnings = found?.warnings ?? [],
): Promise<Bundle> {
  const origin = found?.origin ?? `https://${request.host}`
  const listed = found?.entries ?? []
  const pageCount = found?.pageCount ?? 0
  const site = listed.length > 0 || pageCount > 0 ? found : undefined
  const entries = listed.length > 0 ? listed : [{ loc: `${origin}/` }]
  const pages = site?.pages ?? [{ url: `${origin}/` }]
  const budget = createCpuBudget()
  const sitemapUrl = `${origin}/sitemap.xml`
  const existing = found?.robots.text
  const robotsRequest = { ...request, sitemapUrl, namedUrls: found?.namedUrls ?? [], existing }
  const robots = await writeRobots(robotsRequest)
  const sitemap = await budget.run(sitemapSteps(entries))
  const { title, description: summary, language } = site?.homePage ?? {}
  const name = site?.siteName ?? title
  const llmsRequest = { host: new URL(origin).host, name, summary, language, sitemapUrl, pages }
  const { text: llms, listed: llmsPages } =
    found?.llms === undefined
      ? await budget.run(llmsSteps(llmsRequest))
      : { text: found.llms, listed: pages.length }
  const robotsSource =
    existing === undefined ? 'generated' : existing === robots ? 'existing' : 'existing+generated'
  return {
    domain: request.host,
    origin,
    mode: site === undefined ? 'template' : site.fromSitemap ? 'sitemap+crawl' : 'crawl',
    robots,
    sitemap,
    llms,
    files: [
      await budget.run(fileOf('robots.txt', robots, robotsSource)),
      await budget.run(fileOf('sitemap.xml', sitemap, 'generated')),
      await budget.run(fileOf('llms.txt', llms, found?.llms === undefined ? 'generated' : 'existing')),
    ],
    counts: { urls: entries.length, pages: pageCount, requests },
    warnings: [
      ...warnings,
      found && !site && 'nothing_found: no page could be listed. The sitemap is a template.',
      existing !== undefined && installWarning(robotsRequest),
      llmsPages < pages.length && `llms_limit: llms.txt lists ${llmsPages} of ${pages.length} pages`,
    ].filter((warning) => typeof warning === 'string'),
    generated_at: new Date(nowMs).toISOString(),
    ttl: found?.isCut ? cutTtlSeconds : site === undefined ? templateTtlSeconds : ttlSeconds,
  }
}

function* fileOf(name: BundleFile['name'], text: string, source: BundleFile['source']) {
  const content = Buffer.from(text)
  const hash = createHash('sha256')
  for (let at = 0; at < content.length; at += hashBytes) {
    hash.update(content.subarray(at, at + hashBytes))
    yield
  }
  return { name, content_type: fileTypes[name], bytes: content.length, sha256: hash.digest('hex'), source }
}

const hashBytes = 262_144
