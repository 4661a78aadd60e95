import { FetchFailure } from '../../web/fetch-failure.ts'
import { assembleBundle, type BundleParts } from './assemble-bundle.ts'
import type { Bundle, BundleRequest } from './bundle.ts'
import { type Discovery, type DiscoveryOptions, discover } from './discover.ts'
import type { SitemapEntry } from './write-sitemap.ts'

export async function buildBundle(
  request: BundleRequest,
  options: DiscoveryOptions,
  nowMs: number,
): Promise<Bundle> {
  if (!request.crawl) return template(request, nowMs, 0, [])
  try {
    const found = await discover(request.host, options)
    return found.entries.length === 0 && found.pages.length === 0
      ? await emptySite(request, found, nowMs)
      : await discovered(request, found, nowMs)
  } catch (failure) {
    if (!(failure instanceof FetchFailure) || ours.has(failure.reason) || failure.preempted) throw failure
    return template(request, nowMs, 1, [`unreachable: ${failure.message} The files are a template.`])
  }
}

const ours: ReadonlySet<string> = new Set(['self_request', 'denied_domain', 'too_busy'])
const ttlSeconds = 21_600
const templateTtlSeconds = 600

function discovered(request: BundleRequest, found: Discovery, nowMs: number): Promise<Bundle> {
  const [home] = found.pages
  const titles = new Map(found.pages.map((page) => [page.url, page]))
  const entries: readonly SitemapEntry[] =
    found.entries.length > 0 ? found.entries : [{ loc: `${found.origin}/` }]
  return assembleBundle({
    request,
    nowMs,
    origin: found.origin,
    mode: found.fromSitemap ? 'sitemap+crawl' : 'crawl',
    entries,
    robots: found.robots.text,
    llms: found.llms,
    name: home?.siteName ?? home?.title ?? null,
    summary: home?.description ?? null,
    pages: entries.map(({ loc }) => titles.get(loc) ?? { url: loc, title: null, description: null }),
    counts: { urls: entries.length, pages: found.pages.length, requests: found.requests },
    warnings: found.warnings,
    ttl: ttlSeconds,
  })
}

function emptySite(request: BundleRequest, found: Discovery, nowMs: number): Promise<Bundle> {
  return assembleBundle({
    ...templateParts(request, nowMs),
    origin: found.origin,
    entries: [{ loc: `${found.origin}/` }],
    robots: found.robots.text,
    llms: found.llms,
    pages: [{ url: `${found.origin}/`, title: null, description: null }],
    counts: { urls: 1, pages: 0, requests: found.requests },
    warnings: [...found.warnings, 'nothing_found: no page could be listed. The sitemap is a template.'],
  })
}

function template(
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
    robots: null,
    llms: null,
    name: null,
    summary: null,
    pages: [{ url: `${origin}/`, title: null, description: null }],
    counts: { urls: 1, pages: 0, requests: 0 },
    warnings: [],
    ttl: templateTtlSeconds,
  }
}
