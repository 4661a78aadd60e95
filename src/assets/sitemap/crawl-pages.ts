import { createCpuBudget } from '../../lib/cooperative-scheduler.ts'
import { FetchFailure } from '../../web/fetch-failure.ts'
import { isCapacityFailure } from '../../web/single-flight.ts'
import { createUrlResolver } from '../preview/url-resolver.ts'
import { pageUrl } from './collect-sitemaps.ts'
import type { RobotsRules } from './parse-robots.ts'
import type { SiteClient, SitePage } from './site-client.ts'
import { w3cDate } from './w3c-date.ts'

export interface CrawledPage {
  /** Canonical, of this site. */
  readonly url: string
  readonly title: string | null
  readonly description: string | null
  readonly siteName: string | null
  readonly lastmod: string | null
}

export interface CrawlOptions {
  readonly origin: string
  readonly robots: RobotsRules
  readonly client: SiteClient
  readonly pagesMax: number
  readonly urlsMax: number
  /** Pages that the sitemaps name. With them no links need to be followed. */
  readonly suggestions: readonly string[]
  readonly onPage: (urls: number, pages: number) => void
}

export interface Crawl {
  readonly pages: readonly CrawledPage[]
  /** URLs of this site that were linked to, read or not. */
  readonly found: readonly string[]
  /** Read, and asking not to be listed. */
  readonly hidden: readonly string[]
  /** Where the home page really is, when that is another origin. */
  readonly homeOrigin: string | null
  readonly warnings: readonly string[]
}

export async function crawlPages(options: CrawlOptions): Promise<Crawl> {
  const { origin, robots, client, pagesMax, urlsMax, suggestions, onPage } = options
  const queue = [`${origin}/`, ...byDepth(suggestions).filter((url) => url !== `${origin}/`)]
  const found = new Set<string>(suggestions.length === 0 ? [] : suggestions)
  const asked = new Set<string>()
  const pages = new Map<string, CrawledPage>()
  const hidden = new Set<string>()
  const warnings: string[] = []
  const budget = createCpuBudget()
  let homeOrigin: string | null = null
  function isAllowed(url: URL) {
    return url.origin === origin && robots.allows(url.pathname + url.search)
  }

  async function visit(url: string): Promise<void> {
    const result = await client.page(url).catch(ignoreFailure)
    if (result === null || result.parsed === null) return void found.delete(url)
    if (url === `${origin}/` && result.page.url.origin !== origin) homeOrigin = result.page.url.origin
    const landed = landing(result, isAllowed)
    if (landed === null || hidesItself(result)) {
      hidden.add(url)
    } else {
      if (landed !== url) found.delete(url)
      found.add(landed)
      if (!pages.has(landed)) pages.set(landed, describe(landed, result))
    }
    if (landed !== null && suggestions.length === 0 && !isNofollow(result)) await budget.run(follow(result))
    onPage(found.size, pages.size)
  }

  function* follow({ page, parsed }: SitePage): Generator<void, void> {
    const resolve = createUrlResolver(page.url.href, parsed?.metadata.base)
    for (const href of parsed?.metadata.anchors ?? []) {
      yield
      const url = pageUrl(resolve(href) ?? '')
      if (url === null || !isAllowed(url) || !isPageLike(url) || found.size >= urlsMax || found.has(url.href))
        continue
      found.add(url.href)
      queue.push(url.href)
    }
  }

  async function work(): Promise<void> {
    for (;;) {
      const url = queue.find((candidate) => !asked.has(candidate))
      if (url === undefined || asked.size >= pagesMax) return
      asked.add(url)
      if (isAllowed(new URL(url))) await visit(url)
    }
  }
  // The home page alone first: it is where the others are found.
  const [home] = queue
  if (home !== undefined) {
    asked.add(home)
    if (isAllowed(new URL(home))) await visit(home)
    else warnings.push('robots_disallow: robots.txt does not let us read the home page')
  }
  await Promise.all([work(), work()])
  return { pages: [...pages.values()], found: [...found], hidden: [...hidden], homeOrigin, warnings }
}

function ignoreFailure(failure: unknown): null {
  if (failure instanceof FetchFailure && !isCapacityFailure(failure)) return null
  throw failure
}

function byDepth(urls: readonly string[]): readonly string[] {
  function depth(url: string) {
    return url.split('/').length * 100 + Math.min(99, url.length / 20)
  }
  const ranked = urls.map((url) => ({ url, depth: depth(url) }))
  return ranked.sort((one, other) => one.depth - other.depth).map(({ url }) => url)
}

function landing({ page, parsed }: SitePage, isAllowed: (url: URL) => boolean): string | null {
  const canonical = parsed?.fields.sources['canonical'] === 'link:canonical' ? parsed.fields.canonical : null
  const url = canonical === null ? null : pageUrl(canonical)
  if (url !== null && isAllowed(url)) return url.href
  return isAllowed(page.url) ? page.url.href : null
}

function robotsWords({ parsed }: SitePage): string {
  return `${parsed?.fields.robots.meta ?? ''},${parsed?.fields.robots.header ?? ''}`.toLowerCase()
}

function hidesItself(result: SitePage): boolean {
  return /\b(?:noindex|none)\b/.test(robotsWords(result))
}
function isNofollow(result: SitePage): boolean {
  return /\b(?:nofollow|none)\b/.test(robotsWords(result))
}

function describe(url: string, { page, parsed }: SitePage): CrawledPage {
  return {
    url,
    title: parsed?.fields.title ?? null,
    description: parsed?.fields.description ?? null,
    siteName: parsed?.fields.site_name ?? null,
    lastmod: lastmodOf(page.headers, parsed?.fields.modified ?? parsed?.fields.published ?? null),
  }
}

function lastmodOf(headers: Readonly<Record<string, string>>, dated: string | null): string | null {
  const own = dated === null ? null : (w3cDate(dated) ?? w3cDate(dated.slice(0, 10)))
  if (own !== null) return own
  const sent = Date.parse(headers['last-modified'] ?? '')
  // Five digits of a year are a date for JavaScript only.
  return Number.isNaN(sent) ? null : w3cDate(new Date(sent).toISOString())
}

function isPageLike({ pathname, searchParams, href }: URL): boolean {
  return (
    !files.test(pathname) &&
    searchParams.size <= 2 &&
    href.length <= 512 &&
    !/\/(?:wp-admin|wp-json|cdn-cgi)\//.test(pathname)
  )
}

const files =
  /\.(?:jpe?g|png|gif|webp|avif|svg|ico|bmp|css|m?js|json|xml|rss|atom|txt|pdf|zip|gz|rar|7z|tar|exe|dmg|apk|mp[34]|m4[av]|ogg|wav|webm|mov|avi|woff2?|ttf|eot|docx?|xlsx?|pptx?|csv)$/i
