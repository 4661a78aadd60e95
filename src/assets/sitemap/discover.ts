import { FetchFailure } from '../../web/fetch-failure.ts'
import { isCapacityFailure } from '../../web/single-flight.ts'
import type { WebFetcher } from '../../web/web-fetcher.ts'
import { collectSitemaps } from './collect-sitemaps.ts'
import { type CrawlBudget, createCrawlBudget } from './crawl-budget.ts'
import { type CrawledPage, crawlPages } from './crawl-pages.ts'
import { type ExistingRobots, findOrigin } from './find-origin.ts'
import { siteOf } from './normalize-domain.ts'
import { createSiteClient, type SiteClient } from './site-client.ts'
import type { SitemapEntry } from './write-sitemap.ts'

export interface DiscoveryProgress {
  readonly stage: 'robots' | 'sitemaps' | 'pages'
  readonly urls: number
  readonly pages: number
  readonly requests: number
}

export interface DiscoveryOptions {
  readonly fetcher: WebFetcher
  /** Product token that robots.txt is asked for. */
  readonly product: string
  readonly urlsMax: number
  readonly pagesMax: number
  readonly totalMs?: number
  readonly bytesMax?: number
  readonly onProgress?: (progress: DiscoveryProgress) => void
}

/** What a site was found to be. */
export interface Discovery {
  /** Scheme and host under which the site answers. */
  readonly origin: string
  readonly robots: ExistingRobots
  /** The site's own llms.txt. */
  readonly llms: string | null
  readonly fromSitemap: boolean
  readonly entries: readonly SitemapEntry[]
  /** Pages that were read, the home page first. */
  readonly pages: readonly CrawledPage[]
  readonly requests: number
  readonly warnings: readonly string[]
}

export async function discover(host: string, options: DiscoveryOptions): Promise<Discovery> {
  const { pagesMax, totalMs = 12_000, bytesMax = 6_291_456 } = options
  const deadlineAtMs = performance.now() + totalMs
  const spending = createCrawlBudget({ deadlineAtMs, pagesMax, bytesMax, requestsMax: defaultRequestsMax })
  const here = await discoverAt(host, options, spending)
  const elsewhere = here.homeOrigin
  if (elsewhere === null) return here
  if (siteOf(new URL(elsewhere).hostname) === siteOf(host))
    return discoverAt(host, options, spending, [elsewhere])
  return { ...here, warnings: [...here.warnings, 'redirects_elsewhere: the home page leads to another site'] }
}

async function discoverAt(
  host: string,
  { fetcher, product, urlsMax, pagesMax, onProgress }: DiscoveryOptions,
  spending: CrawlBudget,
  candidates?: readonly string[],
): Promise<Discovery & { readonly homeOrigin: string | null }> {
  const client = createSiteClient(fetcher, spending)
  function report(stage: DiscoveryProgress['stage'], urls: number, pages: number) {
    return onProgress?.({ stage, urls, pages, requests: spending.requests() })
  }

  report('robots', 0, 0)
  const { origin, robots } = await findOrigin(host, product, client, candidates)
  report('sitemaps', 0, 0)
  function isOurs(url: URL) {
    return url.origin === origin
  }
  const listed = await collectSitemaps({ origin, robots: robots.rules, client, urlsMax, isOurs })
  report('pages', listed.entries.length, 0)
  const crawl = await crawlPages({
    origin,
    robots: robots.rules,
    client,
    pagesMax,
    urlsMax,
    suggestions: listed.entries.map(({ loc }) => loc),
    onPage: (urls, pages) => report('pages', Math.max(urls, listed.entries.length), pages),
  })
  const llms = await existingLlms(origin, robots, client)
  const late = spending.isOverdue() ? ['time_budget: the site was not looked at to its end'] : []
  return {
    origin,
    robots,
    llms,
    fromSitemap: listed.entries.length > 0,
    entries: mergeEntries(listed.entries, crawl, urlsMax),
    pages: crawl.pages,
    requests: spending.requests(),
    homeOrigin: crawl.homeOrigin,
    warnings: [...robots.warnings, ...listed.warnings, ...crawl.warnings, ...late],
  }
}

const defaultRequestsMax = 48
const llmsBytesMax = 524_288

function mergeEntries(
  listed: readonly SitemapEntry[],
  { pages, found, hidden }: Awaited<ReturnType<typeof crawlPages>>,
  urlsMax: number,
): readonly SitemapEntry[] {
  const merged = new Map<string, SitemapEntry>(listed.map((entry) => [entry.loc, entry]))
  if (listed.length === 0) for (const loc of found) merged.set(loc, { loc })
  for (const { url, lastmod } of pages) {
    const known = merged.get(url)
    if (known !== undefined || listed.length === 0)
      merged.set(url, { loc: url, lastmod: known?.lastmod ?? lastmod })
  }
  for (const url of hidden) merged.delete(url)
  return [...merged.values()].slice(0, urlsMax)
}

async function existingLlms(
  origin: string,
  robots: ExistingRobots,
  client: SiteClient,
): Promise<string | null> {
  if (!robots.rules.allows('/llms.txt')) return null
  try {
    const file = await client.text(`${origin}/llms.txt`, llmsBytesMax)
    if (file === null || file.page.status !== 200 || file.page.truncated) return null
    const sameSite = siteOf(file.page.url.hostname) === siteOf(new URL(origin).hostname)
    const isMarkdown = /^\ufeff?\s*# \S/.test(file.text) && !/<html[\s>]/i.test(file.text.slice(0, 2_048))
    return sameSite && isMarkdown ? file.text : null
  } catch (failure) {
    if (failure instanceof FetchFailure && !isCapacityFailure(failure)) return null
    throw failure
  }
}
