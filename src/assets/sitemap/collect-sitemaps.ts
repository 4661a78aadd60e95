import { FetchFailure } from '../../web/fetch-failure.ts'
import { isCapacityFailure } from '../../web/single-flight.ts'
import { ListedEntries, type ListedEntriesOptions } from './listed-entries.ts'
import type { RobotsRules } from './parse-robots.ts'
import { SitemapReader } from './read-sitemap.ts'
import type { SiteClient } from './site-client.ts'

export interface SitemapSearch extends ListedEntriesOptions {
  readonly client: SiteClient
}

export interface SitemapCollection {
  readonly listed: ListedEntries
  /** Sitemaps that robots.txt names and that could be read. */
  readonly namedUrls: readonly string[]
  readonly warnings: readonly string[]
}

/** Reads the sitemaps that robots.txt names, else those at the usual paths, up to `urlsMax` entries. */
export async function collectSitemaps(search: SitemapSearch): Promise<SitemapCollection> {
  const { origin, robots } = search
  const listed = new ListedEntries(search)
  const named = robots.sitemaps.flatMap((url) => URL.parse(url, origin)?.href ?? [])
  const guessed = named.length > 0 ? [] : usualPaths.map((path) => `${origin}${path}`)
  const guesses = [...guessed]
  const queue = [...named]
  const visited = new Set<string>()
  const namedUrls: string[] = []
  const warnings: string[] = []

  while (visited.size < filesMax && !listed.isDone()) {
    // The next usual path is tried only if the ones before had no entries.
    const url = queue.shift() ?? (listed.isEmpty() ? guesses.shift() : undefined)
    if (url === undefined) break
    if (visited.has(url)) continue
    const result = await readSitemap(url, search, listed)
    if (result === 'limit') {
      queue.push(url)
      break
    }
    visited.add(url)
    if (result.isRead && named.includes(url)) namedUrls.push(url)
    if (result.isRead || !guessed.includes(url)) warnings.push(...result.warnings)
    queue.unshift(...listed.takeChildren())
  }
  const unread = new Set(queue.filter((url) => !visited.has(url))).size
  if (unread > 0 && !listed.isFull()) warnings.push(`sitemap_limit: ${unread} sitemaps were not read`)
  return { listed, namedUrls, warnings: [...warnings, ...listed.warnings()] }
}

interface ReadResult {
  readonly isRead: boolean
  readonly warnings: readonly string[]
}

/** Reads one sitemap into the list. Resolves with `limit` if the limits of the discovery are used up. */
async function readSitemap(
  url: string,
  { origin, robots, client }: SitemapSearch,
  listed: ListedEntries,
): Promise<ReadResult | 'limit'> {
  if (!isAllowed(url, origin, robots)) return unavailable(url, 'robots.txt disallows it')
  const reader = new SitemapReader(listed)
  const recordsBefore = listed.records
  try {
    const file = await client.sitemap(url, reader, (landed) => listed.beginFile(landed))
    if (file === undefined) return 'limit'
    if (file.status !== 200) return unavailable(url, `it answers with status ${file.status}`)
    if (reader.isPage()) return unavailable(url, 'it is a web page')
    const count = listed.records - recordsBefore
    const skipped = [...reader.skippedKinds()]
    return {
      isRead: count > 0,
      warnings: [
        !file.isWhole && `sitemap_cut: ${url} was read to its entry ${count}, not to its end`,
        file.isWhole && count === 0 && `sitemap_empty: ${url} lists nothing`,
        skipped.length > 0 && `sitemap_extensions: ${url} has ${skipped.join(', ')}, which was left out`,
      ].filter((warning) => warning !== false),
    }
  } catch (failure) {
    if (!(failure instanceof FetchFailure) || isCapacityFailure(failure)) throw failure
    return unavailable(url, failure.message)
  }
}

function unavailable(url: string, cause: string): ReadResult {
  return { isRead: false, warnings: [`sitemap_unavailable: ${url} could not be read: ${cause}`] }
}

/** Requests for sitemaps, so that as many are left for pages. */
const filesMax = 20
const usualPaths = ['/sitemap.xml', '/sitemap_index.xml', '/wp-sitemap.xml', '/sitemap.txt']

function isAllowed(url: string, origin: string, robots: RobotsRules): boolean {
  const { origin: other, pathname, search } = new URL(url)
  return other !== origin || robots.allows(pathname + search)
}
