import type { WebFetcher } from '../../web/web-fetcher.ts'
import { collectSitemaps, type ListedEntry } from './collect-sitemaps.ts'
import { type Crawl, crawlPages } from './crawl-pages.ts'
import { type ExistingRobots, findOrigin, originThatAnswers } from './find-origin.ts'
import type { LlmsPage } from './llms-places.ts'
import { isSameSite } from './normalize-domain.ts'
import { createSiteClient, ignoreFailure, type SiteClient } from './site-client.ts'

export interface DiscoveryProgress {
  readonly stage: 'robots' | 'sitemaps' | 'pages'
  readonly urls: number
  readonly pages: number
  readonly requests: number
}

export interface DiscoveryOptions {
  readonly fetcher: WebFetcher
  readonly product: string
  readonly urlsMax: number
  readonly pagesMax: number
  /** Milliseconds since 1970: no page was changed later. */
  readonly nowMs: number
  readonly totalMs?: number
  readonly bytesMax?: number
  readonly onProgress?: (progress: DiscoveryProgress) => void
}

export type Discovery = Awaited<ReturnType<typeof discoverAt>>

/** Finds the pages of a site by its robots.txt, sitemaps and links. Rejects with FetchFailure. */
export async function discover(host: string, options: DiscoveryOptions): Promise<Discovery> {
  const { fetcher, pagesMax, totalMs = 12_000, bytesMax = 6_291_456 } = options
  const deadlineAtMs = performance.now() + totalMs
  const reservation = fetcher.reserve(host, { countMax: requestsMax, countMin: requestsMin })
  try {
    const limits = { deadlineAtMs, pagesMax, bytesMax, requestsMax, reservation }
    const client = createSiteClient(fetcher, limits)
    const here = await discoverAt(host, options, client)
    const elsewhere = here.homeOrigin
    if (elsewhere === undefined) return here
    if (isSameSite(new URL(elsewhere).hostname, host))
      return await discoverAt(host, options, client, [elsewhere])
    return {
      ...here,
      warnings: [...here.warnings, 'redirects_elsewhere: the home page leads to another site'],
    }
  } finally {
    reservation.release()
  }
}

async function discoverAt(
  host: string,
  { product, urlsMax, pagesMax, nowMs, onProgress }: DiscoveryOptions,
  client: SiteClient,
  candidates?: readonly string[],
) {
  function report(stage: DiscoveryProgress['stage'], urls: number, pages: number) {
    return onProgress?.({ stage, urls, pages, requests: client.requests() })
  }

  report('robots', 0, 0)
  const found = await findOrigin(host, product, client, candidates)
  report('sitemaps', 0, 0)
  const search = { origin: found.origin, robots: found.robots.rules, client, urlsMax, nowMs }
  const { listed, ...sitemaps } = await collectSitemaps(search)
  const preferred = candidates === undefined ? listed.preferredOrigin() : undefined
  const moved = preferred === undefined ? undefined : await originThatAnswers(preferred, product, client)
  const { origin, robots } = moved ?? found
  const entries = listed.entriesAt(origin, robots.rules)
  report('pages', entries.length, 0)
  const crawl = await crawlPages({
    origin,
    robots: robots.rules,
    client,
    pagesMax,
    urlsMax,
    nowMs,
    suggestions: entries.map(({ loc }) => loc),
    onPage: (urls, pages) => report('pages', Math.max(urls, entries.length), pages),
  })
  const llms = await existingLlms(origin, robots, client)
  const timeWarnings = client.isOverdue() ? ['time_budget: the site was not looked at to its end'] : []
  const cutWarnings = client.isCut()
    ? ['target_limit: the site may be asked for no more in this minute, so it was not looked at to its end']
    : []
  const merged = mergeEntries(entries, crawl, urlsMax)
  return {
    origin,
    robots,
    llms,
    fromSitemap: entries.length > 0,
    namedUrls: sitemaps.namedUrls,
    entries: merged,
    pageCount: crawl.pages.length,
    siteName: (crawl.homePage ?? crawl.pages.find(({ siteName }) => siteName !== undefined))?.siteName,
    pages: merged.map((entry) => describePage(entry, crawl)),
    requests: client.requests(),
    homeOrigin: crawl.homeOrigin,
    homePage: crawl.homePage,
    warnings: [...robots.warnings, ...sitemaps.warnings, ...crawl.warnings, ...timeWarnings, ...cutWarnings],
    isCut: client.isCut(),
  }
}

const requestsMax = 48
/** With fewer, for robots.txt, the home page and a sitemap, there is no bundle. */
const requestsMin = 3
const llmsBytesMax = 524_288

function describePage({ loc, title, lastmod }: ListedEntry, { byUrl, graph }: Crawl): LlmsPage {
  return { ...byUrl.get(loc), url: loc, listedTitle: title, ...graph.linksTo(loc), lastmod }
}

function mergeEntries(
  listed: readonly ListedEntry[],
  { pages, found, hidden }: Crawl,
  urlsMax: number,
): readonly ListedEntry[] {
  const merged = new Map<string, ListedEntry>(listed.map((entry) => [entry.loc, entry]))
  if (listed.length === 0) for (const loc of found) merged.set(loc, { loc })
  for (const { url, lastmod } of pages) {
    const listedEntry = merged.get(url)
    if (listedEntry !== undefined || listed.length === 0)
      merged.set(url, { ...listedEntry, loc: url, lastmod: listedEntry?.lastmod ?? lastmod })
  }
  for (const url of hidden) merged.delete(url)
  return [...merged.values()].slice(0, urlsMax)
}

async function existingLlms(
  origin: string,
  robots: ExistingRobots,
  client: SiteClient,
): Promise<string | undefined> {
  if (!robots.rules.allows('/llms.txt')) return undefined
  const file = await client.text(`${origin}/llms.txt`, llmsBytesMax).catch(ignoreFailure)
  if (file === undefined || file.page.status !== 200 || file.page.truncated) return undefined
  const isMarkdown = /^\ufeff?\s*# \S/.test(file.text) && !/<html[\s>]/i.test(file.text.slice(0, 2_048))
  return isMarkdown && isSameSite(file.page.url.hostname, new URL(origin).hostname) ? file.text : undefined
}
