import { createCpuBudget } from '../../lib/cooperative-scheduler.ts'
import type { FetchedPage } from '../../web/fetched-page.ts'
import type { ParsedPage } from '../preview/page-parser.ts'
import { createUrlResolver } from '../preview/url-resolver.ts'
import { pageUrl, type SiteSearch, w3cDate } from './collect-sitemaps.ts'
import wallTexts from './data/page-problems.json' with { type: 'json' }
import type { Wall } from './find-wall.ts'
import type { LlmsPage } from './llms-places.ts'
import { ignoreFailure } from './site-client.ts'

interface PageSearch extends SiteSearch {
  readonly pagesMax: number
  /** Pages from the sitemaps. If there are any, links are not followed. */
  readonly suggestions: readonly string[]
  readonly onPage: (urls: number, pages: number) => void
}

export type Crawl = Awaited<ReturnType<typeof crawlPages>>

/** Fetches the home page and the pages found from there, two at a time. Rejects with FetchFailure only for want of a slot. */
export async function crawlPages(search: PageSearch) {
  const { origin, robots, client, pagesMax, urlsMax, nowMs, suggestions, onPage } = search
  const home = `${origin}/`
  const queue = byDepth(suggestions).filter((url) => url !== home)
  const found = new Set(suggestions)
  const requested = new Set([home])
  const pages = new Map<string, ReturnType<typeof toCrawledPage>>()
  const hidden = new Set<string>()
  const graph = new LinkGraph()
  const problems = createProblems(home)
  const warnings: string[] = []
  const budget = createCpuBudget()
  let homeOrigin: string | undefined
  let homePage: ReturnType<typeof toCrawledPage> | undefined
  function isAllowed(url: URL) {
    return url.origin === origin && robots.allows(url.pathname + url.search)
  }

  async function visit(url: string): Promise<void> {
    const result = await client.page(url).catch((failure: unknown) => {
      ignoreFailure(failure)
      problems.add(url, undefined, failure instanceof Error ? failure.message : '')
      return null
    })
    // The limits are used up, which says nothing of the page.
    if (result === undefined) return
    if (result?.wall !== undefined) problems.add(url, result.wall)
    if (result?.wall === 'login_required') hidden.add(url)
    const isPage = result?.wall === undefined || (result.wall === 'scripts_required' && url !== home)
    if (result?.read === undefined || !isPage) return void found.delete(url)
    const { page, read } = result
    if (url === home && page.url.origin !== origin) homeOrigin = page.url.origin
    const directives = `${read.fields.robots.meta ?? ''},${read.fields.robots.header ?? ''}`.toLowerCase()
    const landed = landingUrl(page, read, isAllowed)
    if (landed === undefined || noindex.test(directives)) {
      hidden.add(url)
    } else {
      if (landed !== url) found.delete(url)
      found.add(landed)
      const markdown = markdownOf(landed, page, read, isAllowed)
      if (!pages.has(landed)) pages.set(landed, toCrawledPage(landed, page, read, nowMs, markdown))
      if (url === home) homePage = pages.get(landed)
    }
    const follows = landed !== undefined && suggestions.length === 0 && !nofollow.test(directives)
    const resolve = createUrlResolver(page.url.href, read.metadata.base)
    function* readLinks(): Generator<void, void> {
      for (const { href, text, isNofollow } of read.outline.links) {
        yield
        const link = pageUrl(resolve(href) ?? '')
        if (link === undefined) continue
        if (link.origin === origin) graph.add(landed ?? url, link.href, text)
        if (follows && !isNofollow && isAllowed(link) && isPageLike(link)) addLink(link)
      }
    }
    await budget.run(readLinks())
    onPage(found.size, pages.size)
  }

  function addLink(url: URL) {
    if (found.size >= urlsMax || found.has(url.href)) return
    found.add(url.href)
    queue.push(url.href)
  }

  async function visitQueue(): Promise<void> {
    for (;;) {
      const url = queue.find((candidate) => !requested.has(candidate))
      if (url === undefined || requested.size >= pagesMax || client.isOverdue()) return
      requested.add(url)
      if (isAllowed(new URL(url))) await visit(url)
    }
  }
  // The home page first and alone: the other pages are found there.
  if (isAllowed(new URL(home))) await visit(home)
  else warnings.push('robots_disallow: robots.txt does not let us read the home page')
  // The pages that it links to come next, because they say most about the site.
  const isLinked = new Set(queue.filter((url) => graph.has(url)))
  queue.sort((one, other) => Number(isLinked.has(other)) - Number(isLinked.has(one)))
  await Promise.all([visitQueue(), visitQueue()])
  warnings.push(...problems.warnings())
  return { pages: [...pages.values()], byUrl: pages, found, hidden, graph, homeOrigin, homePage, warnings }
}

const noindex = /\b(?:noindex|none)\b/
const nofollow = /\b(?:nofollow|none)\b/

function byDepth(urls: readonly string[]): readonly string[] {
  function depth(url: string) {
    return url.split('/').length * 100 + Math.min(99, url.length / 20)
  }
  const ranked = urls.map((url) => ({ url, depth: depth(url) }))
  return ranked.sort((one, other) => one.depth - other.depth).map(({ url }) => url)
}

function landingUrl(page: FetchedPage, { fields }: ParsedPage, isAllowed: (url: URL) => boolean) {
  const isDeclared = fields.sources['canonical'] === 'link:canonical'
  const url = isDeclared ? pageUrl(fields.canonical ?? '') : undefined
  if (url !== undefined && isAllowed(url)) return url.href
  return isAllowed(page.url) ? page.url.href : undefined
}

function toCrawledPage(
  url: string,
  page: FetchedPage,
  { fields, metadata }: ParsedPage,
  nowMs: number,
  markdown: string | undefined,
) {
  return {
    url,
    title: fields.title ?? undefined,
    heading: metadata.headings.find(({ level }) => level === 1)?.text,
    language: fields.lang ?? undefined,
    description: fields.description ?? undefined,
    siteName: fields.sources['site_name'] === 'host' ? undefined : (fields.site_name ?? undefined),
    lastmod: lastmodOf(page, fields.modified ?? fields.published ?? '', nowMs),
    markdown,
  }
}

/** The page as Markdown: what it declares, else a file beside it with its own name that it links to. */
function markdownOf(
  landed: string,
  page: FetchedPage,
  { outline, metadata }: ParsedPage,
  isAllowed: (url: URL) => boolean,
): string | undefined {
  const resolve = createUrlResolver(page.url.href, metadata.base)
  const declared = metadata.links.filter(
    ({ rel, type }) => rel.includes('alternate') && /^text\/(?:x-)?markdown\b/i.test(type),
  )
  const { pathname } = new URL(landed)
  const beside = markdownEndings.map(([end, ending]) => pathname.replace(end, ending))
  const linked = outline.links.filter(({ href }) => /\.md(?:$|[?#])/i.test(href))
  return [
    ...declared.map(({ href }) => URL.parse(resolve(href) ?? '')),
    ...linked
      .map(({ href }) => URL.parse(resolve(href) ?? ''))
      .filter((url) => beside.includes(url?.pathname ?? '')),
  ].find((url) => url !== null && isAllowed(url))?.href
}

/** Names of a page's text beside it: `/a.md` or `/a/index.md` for `/a/`, `/a.md` or `/a.html.md` for `/a.html`. */
const markdownEndings: readonly (readonly [RegExp, string])[] = [
  [/(?:\/index)?(?:\.html?)?\/?$/, '.md'],
  [/\/?(?:index(?:\.html?)?)?$/, '/index.md'],
  [/\/$/, '/index.html.md'],
  [/$/, '.md'],
]

function lastmodOf({ headers }: FetchedPage, dated: string, nowMs: number): string | undefined {
  const sent = new Date(headers['last-modified'] ?? '')
  return (
    w3cDate(dated, nowMs) ?? (Number.isNaN(sent.getTime()) ? undefined : w3cDate(sent.toISOString(), nowMs))
  )
}

function isPageLike({ pathname, searchParams, href }: URL): boolean {
  return (
    !fileExtension.test(pathname) &&
    searchParams.size <= 2 &&
    href.length <= 512 &&
    !/\/(?:wp-admin|wp-json|cdn-cgi)\//.test(pathname)
  )
}

const fileExtension =
  /\.(?:jpe?g|png|gif|webp|avif|svg|ico|bmp|css|m?js|json|xml|rss|atom|txt|pdf|zip|gz|rar|7z|tar|exe|dmg|apk|mp[34]|m4[av]|ogg|wav|webm|mov|avi|woff2?|ttf|eot|docx?|xlsx?|pptx?|csv)$/i

const textsMax = 8

class LinkGraph {
  readonly #targets = new Map<string, ReturnType<typeof newTarget>>()

  add(from: string, to: string, text: string): void {
    if (from === to || this.#targets.size >= 10_000) return
    const target = this.#targets.getOrInsertComputed(to, () => newTarget(this.#targets.size))
    target.from.add(from)
    if (text !== '' && (target.texts.has(text) || target.texts.size < textsMax))
      target.texts.set(text, (target.texts.get(text) ?? 0) + 1)
  }

  has(url: string): boolean {
    return this.#targets.has(url) || this.#targets.has(withOtherEnd(url))
  }

  /** Pages are the same with a slash at the end or without. */
  linksTo(url: string): Pick<LlmsPage, 'linkCount' | 'linkOrder' | 'linkTexts'> {
    const target = this.#targets.get(url) ?? this.#targets.get(withOtherEnd(url))
    if (target === undefined) return {}
    const texts = [...target.texts].sort(([, one], [, other]) => other - one).map(([text]) => text)
    return { linkCount: target.from.size, linkOrder: target.order, linkTexts: texts }
  }
}

function newTarget(order: number) {
  return { order, from: new Set<string>(), texts: new Map<string, number>() }
}

function withOtherEnd(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : `${url}/`
}

function createProblems(home: string) {
  const counts = new Map<keyof typeof wallTexts, number>()
  let ofHome: string | undefined
  return {
    add(url: string, wall: Wall | undefined, message = ''): void {
      const kind = wall ?? 'pages_unavailable'
      if (url !== home) counts.set(kind, (counts.get(kind) ?? 0) + 1)
      else ofHome = wall ? `${wall}: ${wallTexts[wall].home}` : `home_unavailable: ${message}`
    },
    warnings(): readonly string[] {
      const counted = [...counts].map(
        ([kind, count]) => `${kind}: ${count} other pages ${wallTexts[kind].others}`,
      )
      return ofHome === undefined ? counted : [ofHome, ...counted]
    },
  }
}
