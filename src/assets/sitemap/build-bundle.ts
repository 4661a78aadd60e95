import { FetchFailure } from '../../web/fetch-failure.ts'
import { assembleBundle, type BundleParts } from './assemble-bundle.ts'
import type { Bundle, BundleRequest } from './bundle.ts'
import { type Discovery, type DiscoveryOptions, discover } from './discover.ts'
import type { SitemapEntry } from './write-sitemap.ts'

/** Discovers a site and writes its files; a template if the site cannot be reached. Rejects with FetchFailure. */
export async function buildBundle(
  request: BundleRequest,
  options: DiscoveryOptions,
  nowMs: number,
): Promise<Bundle> {
  if (!request.crawl) return assembleTemplate(request, nowMs, 0, [])
  try {
    const discovery = await discover(request.host, options)
    return discovery.entries.length === 0 && discovery.pages.length === 0
      ? await assembleEmptySite(request, discovery, nowMs)
      : await assembleDiscovered(request, discovery, nowMs)
  } catch (failure) {
    if (!(failure instanceof FetchFailure) || ownReasons.has(failure.reason) || failure.preempted)
      throw failure
    return assembleTemplate(request, nowMs, 1, [`unreachable: ${failure.message} The files are a template.`])
  }
}

/** Reasons that say nothing about the site, so that a template would be wrong. */
const ownReasons: ReadonlySet<string> = new Set(['self_request', 'denied_domain', 'too_busy'])
const ttlSeconds = 21_600
const templateTtlSeconds = 600

function assembleDiscovered(request: BundleRequest, discovery: Discovery, nowMs: number): Promise<Bundle> {
  const [home] = discovery.pages
  const titles = new Map(discovery.pages.map((page) => [page.url, page]))
  const entries: readonly SitemapEntry[] =
    discovery.entries.length > 0 ? discovery.entries : [{ loc: `${discovery.origin}/` }]
  return assembleBundle({
    request,
    nowMs,
    origin: discovery.origin,
    mode: discovery.fromSitemap ? 'sitemap+crawl' : 'crawl',
    entries,
    robots: discovery.robots.text,
    llms: discovery.llms,
    name: home?.siteName ?? home?.title,
    summary: home?.description,
    pages: entries.map(
      ({ loc }) => titles.get(loc) ?? { url: loc, title: undefined, description: undefined },
    ),
    counts: { urls: entries.length, pages: discovery.pages.length, requests: discovery.requests },
    warnings: discovery.warnings,
    ttl: ttlSeconds,
  })
}

function assembleEmptySite(request: BundleRequest, discovery: Discovery, nowMs: number): Promise<Bundle> {
  return assembleBundle({
    ...templateParts(request, nowMs),
    origin: discovery.origin,
    entries: [{ loc: `${discovery.origin}/` }],
    robots: discovery.robots.text,
    llms: discovery.llms,
    pages: [{ url: `${discovery.origin}/`, title: undefined, description: undefined }],
    counts: { urls: 1, pages: 0, requests: discovery.requests },
    warnings: [...discovery.warnings, 'nothing_found: no page could be listed. The sitemap is a template.'],
  })
}

function assembleTemplate(
  request: BundleRequest,
  nowMs: number,
  requests: number,
  warnings: readonly string[],
): Promise<Bundle> {
  return assembleBundle({
    ...templateParts(request, nowMs),
    counts: { urls: 1, pages: 0, requests },
    warnings,
  })
}

function templateParts(request: BundleRequest, nowMs: number): BundleParts {
  const origin = `https://${request.host}`
  return {
    request,
    nowMs,
    origin,
    mode: 'template',
    entries: [{ loc: `${origin}/` }],
    robots: undefined,
    llms: undefined,
    name: undefined,
    summary: undefined,
    pages: [{ url: `${origin}/`, title: undefined, description: undefined }],
    counts: { urls: 1, pages: 0, requests: 0 },
    warnings: [],
    ttl: templateTtlSeconds,
  }
}
