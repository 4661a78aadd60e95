import { FetchFailure } from '../../web/fetch-failure.ts'
import type { WebFetcher } from '../../web/web-fetcher.ts'
import { isChallengeFile } from '../preview/challenge.ts'
import { collectSitemaps, type ListedEntry } from './collect-sitemaps.ts'
import { type Crawl, crawlPages } from './crawl-pages.ts'
import type { LlmsPage } from './llms-places.ts'
import { isSameSite } from './normalize-domain.ts'
import { allowAll, denyAll, parseRobots, type RobotsRules } from './robots.ts'
import { ignoreFailure, type SiteClient, type TextFile, withSiteClient } from './site-client.ts'

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
  readonly onProgress?: (progress: DiscoveryProgress) => void
}

export type Discovery = Awaited<ReturnType<typeof discoverAt>>

/** Finds the pages of a site by its robots.txt, sitemaps and links. Rejects with FetchFailure. */
export async function discover(host: string, options: DiscoveryOptions): Promise<Discovery> {
  const { fetcher, pagesMax, totalMs = 12_000 } = options
  const limits = { totalMs, pagesMax, bytesMax: 6_291_456, requestsMax: 48 }
  return await withSiteClient(fetcher, host, limits, async (client) => {
    const here = await discoverAt(host, options, client)
    const elsewhere = here.homeOrigin
    if (elsewhere === undefined) return here
    if (isSameSite(new URL(elsewhere).hostname, host))
      return await discoverAt(host, options, client, [elsewhere])
    const warning = 'redirects_elsewhere: the home page leads to another site'
    return { ...here, warnings: [...here.warnings, warning] }
  })
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
    ...search,
    origin,
    robots: robots.rules,
    pagesMax,
    suggestions: entries.map(({ loc }) => loc),
    onPage: (urls, pages) => report('pages', Math.max(urls, entries.length), pages),
  })
  const llms = await existingLlms(origin, robots.rules, client)
  const merged = mergeEntries(entries, crawl, urlsMax)
  const { byUrl, graph } = crawl
  return {
    origin,
    robots,
    llms,
    fromSitemap: entries.length > 0,
    namedUrls: sitemaps.namedUrls,
    entries: merged,
    pageCount: crawl.pages.length,
    siteName: (crawl.homePage ?? crawl.pages.find(({ siteName }) => siteName !== undefined))?.siteName,
    pages: merged.map(({ loc, title, lastmod }): LlmsPage => {
      return { ...byUrl.get(loc), url: loc, listedTitle: title, ...graph.linksTo(loc), lastmod }
    }),
    requests: client.requests(),
    homeOrigin: crawl.homeOrigin,
    homePage: crawl.homePage,
    warnings: [
      ...[...robots.warnings, ...sitemaps.warnings, ...crawl.warnings],
      client.isOverdue() && 'time_budget: the site was not looked at to its end',
      client.isCut() &&
        'target_limit: the site may be asked for no more in this minute, so it was not looked at to its end',
    ].filter((warning) => warning !== false),
    isCut: client.isCut(),
  }
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

const llmsBytesMax = 524_288

async function existingLlms(origin: string, robots: RobotsRules, client: SiteClient) {
  if (!robots.allows('/llms.txt')) return undefined
  const file = await client.text(`${origin}/llms.txt`, llmsBytesMax).catch(ignoreFailure)
  if (file === undefined || file.page.status !== 200 || file.page.truncated) return undefined
  const isMarkdown = /^\ufeff?\s*# \S/.test(file.text) && !/<html[\s>]/i.test(file.text.slice(0, 2_048))
  return isMarkdown && isSameSite(file.page.url.hostname, new URL(origin).hostname) ? file.text : undefined
}

const namesLimits = { totalMs: 10_000, pagesMax: 2, bytesMax: 2_097_152, requestsMax: 4 }
const namesMax = 5_000

/** Paths that the home page and the sitemaps name. Rejects with FetchFailure only for want of a slot. */
export async function readSiteNames(
  origin: string,
  { fetcher, product, nowMs }: Pick<DiscoveryOptions, 'fetcher' | 'product' | 'nowMs'>,
): Promise<ReadonlySet<string>> {
  async function read(client: SiteClient) {
    const { origin: found, robots } = await findOrigin(new URL(origin).host, product, client, [origin])
    const search = { robots: robots.rules, client, urlsMax: namesMax, nowMs }
    const crawl = { ...search, suggestions: [], pagesMax: 1, onPage() {} }
    const home = await crawlPages({ ...crawl, origin: found })
    const moved = home.homeOrigin
    const isMoved = moved !== undefined && withoutWww(new URL(moved).host) === withoutWww(new URL(found).host)
    const links = isMoved ? await crawlPages({ ...crawl, origin: moved }) : home
    const { listed } = await collectSitemaps({ ...search, origin: found })
    const entries = listed.entriesAt(found, robots.rules)
    const urls = [...links.found, ...entries.map(({ loc }) => loc)].map((url) => new URL(url))
    const paths = urls.map(({ pathname, search }) => pathname + search)
    return new Set(['/', ...paths.filter((path) => path.length <= 200).slice(0, namesMax)])
  }
  return (
    (await withSiteClient(fetcher, new URL(origin).hostname, namesLimits, read).catch(ignoreFailure)) ??
    new Set()
  )
}

/** Finds scheme and host of a site by its robots.txt, https before http. Rejects with FetchFailure. */
async function findOrigin(
  host: string,
  product: string,
  client: SiteClient,
  candidates: readonly string[] = [`https://${host}`, `http://${host}`],
) {
  const failures: unknown[] = []
  for (const origin of candidates) {
    try {
      const file = await client.text(`${origin}/robots.txt`, robotsBytesMax)
      if (file === undefined) break
      const robots = await readRobots(file, product)
      return { origin: await resolveOrigin(origin, file.page.url, robots.rules, client), robots }
    } catch (failure) {
      if (!(failure instanceof FetchFailure) || !httpMayWork.has(failure.reason)) throw failure
      failures.push(failure)
    }
  }
  throw failures[0] ?? new FetchFailure('timeout_total')
}

async function originThatAnswers(origin: string, product: string, client: SiteClient) {
  const home = await client.text(`${origin}/`, homeBytesMax).catch(ignoreFailure)
  if (home === undefined || home.page.status >= 400 || home.page.url.origin !== origin) return undefined
  const file = await client.text(`${origin}/robots.txt`, robotsBytesMax).catch(ignoreFailure)
  return file && { origin, robots: await readRobots(file, product) }
}

/** The part that every crawler has to read (RFC 9309). */
const robotsBytesMax = 512_000

const httpMayWork: ReadonlySet<string> = new Set([
  ...['connect_refused', 'connection_reset', 'unreachable', 'tls_error', 'protocol_error'],
  ...['timeout_connect', 'timeout_headers'],
])

async function readRobots({ page, text }: TextFile, product: string) {
  const challenge = isChallengeFile(page, text)
    ? ['target_challenge: robots.txt is behind a challenge for humans']
    : []
  if (page.status >= 500) {
    const warning = 'robots_unavailable: robots.txt answers with an error, so nothing was crawled'
    return { text: undefined, rules: denyAll, warnings: [...challenge, warning] }
  }
  const isFile = page.status === 200 && !/^\ufeff?\s*</.test(text)
  if (!isFile) return { text: undefined, rules: allowAll, warnings: challenge }
  const completeLines = page.truncated ? text.slice(0, text.lastIndexOf('\n') + 1) : text
  const warnings = page.truncated ? ['robots_long: robots.txt was read to its first 500 KiB'] : []
  return { text: completeLines, rules: await parseRobots(completeLines, product), warnings }
}

/** Follows a site that redirects robots.txt to another host of its own, such as www, if its home page is there as well. */
async function resolveOrigin(requested: string, landed: URL, rules: RobotsRules, client: SiteClient) {
  const { hostname } = new URL(requested)
  const isThere = landed.origin === requested || landed.pathname !== '/robots.txt'
  if (isThere || !isSameSite(landed.hostname, hostname)) return requested
  // The home page may not be fetched, so the host names decide.
  if (!rules.allows('/'))
    return withoutWww(landed.hostname) === withoutWww(hostname) ? landed.origin : requested
  const home = await client.text(`${requested}/`, homeBytesMax).catch(ignoreFailure)
  return home?.page.url.origin === landed.origin ? landed.origin : requested
}

/** Only the URL of the home page is needed, not its content. */
const homeBytesMax = 1_024

function withoutWww(host: string): string {
  return host.replace(/^www\./, '')
}
