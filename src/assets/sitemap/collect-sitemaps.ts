import { dayMs } from '../../lib/clock.ts'
import { fill } from '../../lib/texts.ts'
import { words } from '../../lib/words.ts'
import { FetchFailure } from '../../web/fetch-failure.ts'
import { isCapacityFailure } from '../../web/single-flight.ts'
import { normalizeDate } from '../preview/find-date.ts'
import listWarnings from './data/list-warnings.json' with { type: 'json' }
import { type SitemapListener, SitemapReader, type SitemapRecord } from './read-sitemap.ts'
import type { RobotsRules } from './robots.ts'
import type { SiteClient } from './site-client.ts'
import type { SitemapEntry } from './write-sitemap.ts'

/** Reads the sitemaps that robots.txt names, else those at the usual paths, up to `urlsMax` entries. */
export async function collectSitemaps(search: SiteSearch) {
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

async function readSitemap(url: string, { origin, robots, client }: SiteSearch, listed: ListedEntries) {
  const { origin: other, pathname, search } = new URL(url)
  if (other === origin && !robots.allows(pathname + search))
    return unavailable(url, 'robots.txt disallows it')
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

function unavailable(url: string, cause: string) {
  return { isRead: false, warnings: [`sitemap_unavailable: ${url} could not be read: ${cause}`] }
}

/** Requests for sitemaps, so that as many are left for pages. */
const filesMax = 20
const usualPaths = words(`
  /sitemap.xml /sitemap_index.xml /sitemap-index.xml /wp-sitemap.xml /sitemap.xml.gz /sitemap-index.xml.gz /sitemap.txt
`)

export interface ListedEntry extends SitemapEntry {
  /** The sitemap's name of the page, for example the headline of its news. */
  readonly title?: string | undefined
}

export interface SiteSearch {
  readonly origin: string
  readonly robots: RobotsRules
  readonly client: SiteClient
  readonly urlsMax: number
  readonly nowMs: number
}

/** Entries of the site in another scheme or with `www.` are kept by path until it is known which origin is to be theirs. */
export class ListedEntries implements SitemapListener {
  records = 0
  readonly #options: Omit<SiteSearch, 'client'>
  readonly #site: string
  readonly #entries = new Map<string, Omit<ListedEntry, 'loc'>>()
  readonly #origins = new Map<string, number>()
  readonly #children: string[] = []
  #base = ''
  #extensionChars = 0
  #areExtensionsFull = false
  #isIndexFull = false
  #work = 0
  #lost = { foreign: 0, disallowed: 0, invalid: 0, extensions: 0, sitemaps: 0, indexes: 0 }

  constructor(options: Omit<SiteSearch, 'client'>) {
    this.#options = options
    this.#site = siteOf(new URL(options.origin))
  }

  beginFile(url: string): void {
    this.#base = url
  }

  takeChildren(): readonly string[] {
    this.#isIndexFull = false
    return this.#children.splice(0)
  }

  isEmpty(): boolean {
    return this.#entries.size === 0
  }

  isFull(): boolean {
    return this.#entries.size >= this.#options.urlsMax
  }

  isDone(): boolean {
    return this.isFull() || this.#isTooMuch() || this.#isIndexFull
  }

  wantsExtensions(): boolean {
    return !this.#areExtensionsFull
  }

  onWork(work: number): void {
    this.#work += work
  }

  onRecord(record: SitemapRecord): void {
    this.records += 1
    this.#work += workOfRecord
    const url = pageUrl(record.loc, this.#base)
    if (!record.isSitemap) this.#addEntry(url, record)
    else if (url === undefined) this.#lost.sitemaps += 1
    else if (this.#children.length < childrenMax) this.#children.push(url.href)
    else {
      // The rest of the work is for the sitemaps that it lists.
      this.#isIndexFull = true
      this.#lost.indexes += 1
    }
  }

  preferredOrigin(): string | undefined {
    const { origin } = this.#options
    const [most] = [...this.#origins].sort(([, one], [, other]) => other - one)
    return most !== undefined && most[1] > (this.#origins.get(origin) ?? 0) ? most[0] : undefined
  }

  entriesAt(origin: string, robots: RobotsRules): readonly ListedEntry[] {
    return [...this.#entries]
      .filter(([path]) => robots === this.#options.robots || robots.allows(path))
      .map(([path, entry]) => ({ loc: origin + path, ...entry }))
  }

  warnings(): readonly string[] {
    const urls = this.isFull() ? this.#options.urlsMax : 0
    const records = urls === 0 && this.#isTooMuch() ? this.records : 0
    const counts = Object.entries({ ...this.#lost, urls, records })
    const told = counts.filter(([, count]) => count > 0)
    return told.map(([name, count]) => fill(warningTexts[name] ?? '', { count, childrenMax }))
  }

  #isTooMuch(): boolean {
    return this.#work >= workMax
  }

  #addEntry(url: URL | undefined, record: SitemapRecord): void {
    if (url === undefined) this.#lost.invalid += 1
    else if (siteOf(url) !== this.#site) this.#lost.foreign += 1
    else {
      const { title, extensions, lacksExtensions } = record
      const path = url.pathname + url.search
      if (this.#entries.has(path)) return
      if (!this.#options.robots.allows(path)) {
        this.#lost.disallowed += 1
        return
      }
      this.#origins.set(url.origin, (this.#origins.get(url.origin) ?? 0) + 1)
      const frequency = record.changefreq.trim().toLowerCase()
      this.#entries.set(path, {
        lastmod: w3cDate(record.lastmod, this.#options.nowMs),
        changefreq: frequencies.find((name) => name === frequency),
        priority: priorityOf(record.priority),
        ...(title !== '' && { title: title.slice(0, 300) }),
        ...((extensions !== '' || lacksExtensions) && this.#keep(extensions)),
      })
    }
  }

  #keep(extensions: string): Pick<SitemapEntry, 'extensions'> | undefined {
    if (this.#extensionChars + extensions.length > extensionCharsMax) this.#areExtensionsFull = true
    if (this.#areExtensionsFull) {
      this.#lost.extensions += 1
      return undefined
    }
    this.#extensionChars += extensions.length
    return { extensions }
  }
}

/** The part that URLs of one site share, whatever their scheme, with `www.` or without. */
function siteOf({ hostname, port }: URL): string {
  return `${hostname.replace(/^www\./, '')}:${port}`
}

const warningTexts: Readonly<Record<string, string>> = listWarnings
const childrenMax = 500
/** Over all sitemaps of a site, in units of `workOf`: a quarter of a second. */
const workMax = 2_400_000
const workOfRecord = 30
/** Over all entries, so that a bundle is at most a few megabytes. */
const extensionCharsMax = 3_145_728

/** Returns the URL of a page without fragment and tracking parameters, or undefined if it cannot be in a sitemap. */
export function pageUrl(raw: string, base?: string): URL | undefined {
  if (!URL.canParse(raw, base)) return undefined
  const url = new URL(raw, base)
  url.hash = ''
  const pairs = url.search.slice(1).split('&')
  const kept = pairs.filter((pair) => !tracking.test(pair))
  if (kept.length < pairs.length) url.search = kept.join('&')
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return isWeb && url.username === '' && url.password === '' && url.href.length < 2_048 ? url : undefined
}

/** Parameters that campaigns, advertisers and networks add to a URL. The page is the same without them. */
const tracking =
  /^(?:utm_\w+|(?:fb|g|d|ms|tw|tt|y|e)cl(?:k?id)|[gw]braid|igshid|mc_[ce]id|mkt_tok|_g[al]|_hs(?:enc|mi)|li_fat_id|oly_(?:anon|enc)_id|vero_id)(?:=|$)/i

/** Undefined for no date, one before 1990, which no page has, and one to come. A time without a zone is cut to its day. */
export function w3cDate(raw: string, nowMs: number): string | undefined {
  const text = raw.trim().slice(0, 64)
  const dateText = yearFirst.test(text) ? text : (normalizeDate(text) ?? '').replace('.000Z', 'Z')
  const date = fromYearFirst(dateText)
  if (date === undefined || date < '1990') return undefined
  return Date.parse(date) <= nowMs + dayMs ? date : undefined
}

const yearFirst = /^\d{4}[-/.]/
const dayAndTime = /^((?!0000)\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[Tt\s]\s{0,8}(\S.*))?$/
/** Time zones up to 14 hours, hours up to 23. */
const timeAndZone =
  /^((?:[01]\d|2[0-3]):[0-5]\d)(:[0-5]\d(?:\.\d{1,9})?)?\s?(?:(Z|UTC|GMT)|([+-](?:0\d|1[0-4]))(?::?([0-5]\d))?)?$/i

function fromYearFirst(text: string): string | undefined {
  const [, year = '', , month = '', dayOfMonth = '', time] = dayAndTime.exec(text) ?? []
  const day = `${year}-${month.padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`
  const ms = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(day)) return undefined
  if (time === undefined) return day
  const [whole, minute, second = ':00', utc, hours, minutes = '00'] = timeAndZone.exec(time) ?? []
  if (whole === undefined || (hours?.endsWith('14') && minutes !== '00')) return undefined
  const zone = utc === undefined ? hours && `${hours}:${minutes}` : 'Z'
  return zone === undefined ? day : `${day}T${minute}${second}${zone}`
}

function priorityOf(raw: string): string | undefined {
  const text = raw.trim()
  if (!decimal.test(text) || Number(text) > 1) return undefined
  return text.startsWith('.') ? `0${text}` : text
}

const frequencies = words('always hourly daily weekly monthly yearly never')
const decimal = /^(?:[01](?:\.\d{1,6})?|\.\d{1,6})$/
