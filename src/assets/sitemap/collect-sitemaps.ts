import { createCpuBudget } from '../../lib/cooperative-scheduler.ts'
import type { RobotsRules } from './parse-robots.ts'
import { readSitemap } from './read-sitemap.ts'
import { ignoreFailure, type SiteClient } from './site-client.ts'
import type { SitemapEntry } from './write-sitemap.ts'

export interface SitemapSearch {
  readonly origin: string
  readonly robots: RobotsRules
  readonly client: SiteClient
  readonly urlsMax: number
}

/** Reads the sitemaps that robots.txt names, else those at the usual paths, up to `urlsMax` entries. */
export async function collectSitemaps({ origin, robots, client, urlsMax }: SitemapSearch) {
  const named = robots.sitemaps.filter((url) => URL.canParse(url))
  const isGuessing = named.length === 0
  const queue = [...named]
  const guesses = isGuessing ? usualPaths.map((path) => `${origin}${path}`) : []
  const visited = new Set<string>()
  const entries = new Map<string, SitemapEntry>()
  const warnings: string[] = []
  const budget = createCpuBudget()
  let outside = 0

  function* addEntries(read: readonly SitemapEntry[]): Generator<void, void> {
    for (const entry of read) {
      const loc = pageUrl(entry.loc)
      if (loc === undefined || loc.origin !== origin) outside += 1
      else if (!entries.has(loc.href) && robots.allows(loc.pathname + loc.search)) {
        entries.set(loc.href, { loc: loc.href, lastmod: entry.lastmod })
      }
      yield
    }
  }

  while (visited.size < filesMax && entries.size < urlsMax) {
    // The next usual path is tried only if the ones before had no entries.
    const url = queue.shift() ?? (entries.size === 0 ? guesses.shift() : undefined)
    if (url === undefined) break
    if (visited.has(url) || !isAllowed(url, origin, robots)) continue
    visited.add(url)
    const file = await client.text(url, fileBytesMax).catch(ignoreFailure)
    if (file === undefined) continue
    const isSitemap = file.page.status === 200 && !isPage(file.text)
    if (!isSitemap) {
      if (!isGuessing) warnings.push(`sitemap_unavailable: ${url} could not be read`)
      continue
    }
    const { entries: read, children } = await readSitemap(file.text, urlsMax * 2)
    await budget.run(addEntries(read))
    queue.unshift(...(await budget.run(resolveAll(children, file.page.url.href))))
  }
  if (outside > 0) warnings.push(`sitemap_foreign: ${outside} URLs of other hosts were left out`)
  return { entries: [...entries.values()].slice(0, urlsMax), warnings }
}

function* resolveAll(hrefs: readonly string[], base: string): Generator<void, readonly string[]> {
  const urls: string[] = []
  for (const href of hrefs) {
    const url = pageUrl(href, base)
    if (url !== undefined) urls.push(url.href)
    yield
  }
  return urls
}

const filesMax = 8
const fileBytesMax = 2_097_152
const usualPaths = ['/sitemap.xml', '/sitemap_index.xml', '/wp-sitemap.xml', '/sitemap.txt']

function isAllowed(url: string, origin: string, robots: RobotsRules): boolean {
  const { origin: other, pathname, search } = new URL(url)
  return other !== origin || robots.allows(pathname + search)
}

function isPage(text: string): boolean {
  return /^\ufeff?\s*<(?:!doctype html|html)/i.test(text)
}

/** Returns the URL of a page without fragment and tracking parameters, or undefined if it cannot be in a sitemap. */
export function pageUrl(raw: string, base?: string): URL | undefined {
  if (!URL.canParse(raw, base)) return undefined
  const url = new URL(raw, base)
  url.hash = ''
  const isTracked = url.search
    .slice(1)
    .split('&')
    .some((pair) => tracking.test(pair))
  if (isTracked)
    url.search = url.search
      .slice(1)
      .split('&')
      .filter((pair) => !tracking.test(pair))
      .join('&')
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return isWeb && url.username === '' && url.password === '' && url.href.length < 2_048 ? url : undefined
}

/** Parameters that campaigns, advertisers and networks add to a URL. The page is the same without them. */
const tracking =
  /^(?:utm_\w+|(?:fb|g|d|ms|tw|tt|y|e)cl(?:k?id)|[gw]braid|igshid|mc_[ce]id|mkt_tok|_g[al]|_hs(?:enc|mi)|li_fat_id|oly_(?:anon|enc)_id|vero_id)(?:=|$)/i
