import { FetchFailure } from '../../web/fetch-failure.ts'
import { assembleBundle, type BundleParts } from './assemble-bundle.ts'
import type { Bundle, BundleRequest } from './bundle.ts'
import { type Discovery, type DiscoveryOptions, discover } from './discover.ts'

/** Discovers a site and writes its files; a template if the site cannot be reached. Rejects with FetchFailure. */
export async function buildBundle(
  request: BundleRequest,
  options: Omit<DiscoveryOptions, 'nowMs'>,
  nowMs: number,
): Promise<Bundle> {
  const template = templateParts(request, nowMs)
  if (!request.crawl) return assembleBundle(template)
  try {
    return await assembleBundle({
      ...template,
      ...discoveredParts(await discover(request.host, { ...options, nowMs })),
    })
  } catch (failure) {
    if (!(failure instanceof FetchFailure) || ownReasons.has(failure.reason) || failure.preempted)
      throw failure
    return assembleBundle({
      ...template,
      counts: { ...template.counts, requests: 1 },
      warnings: [`unreachable: ${failure.message} The files are a template.`],
    })
  }
}

/** Reasons that say nothing about the site, so that a template would be wrong. */
const ownReasons: ReadonlySet<string> = new Set(['self_request', 'denied_domain', 'too_busy', 'target_busy'])
const ttlSeconds = 21_600
const templateTtlSeconds = 600
/** For a site that was not looked at to its end, because it may be asked for more in a minute. */
const cutTtlSeconds = 60

function templateParts(request: BundleRequest, nowMs: number): BundleParts {
  const origin = `https://${request.host}`
  return {
    request,
    nowMs,
    origin,
    mode: 'template',
    entries: [{ loc: `${origin}/` }],
    pages: [{ url: `${origin}/` }],
    counts: { urls: 1, pages: 0, requests: 0 },
    warnings: [],
    ttl: templateTtlSeconds,
  }
}

/** Replaces parts of the template: the files that exist and, if any page was found, its description. */
function discoveredParts(discovery: Discovery): Partial<BundleParts> {
  const { origin, robots, llms, namedUrls, pages, pageCount, homePage, requests, warnings } = discovery
  const entries = discovery.entries.length > 0 ? discovery.entries : [{ loc: `${origin}/` }]
  const counts = { urls: entries.length, pages: pageCount, requests }
  const cutTtl = discovery.isCut ? { ttl: cutTtlSeconds } : undefined
  const existing = { origin, robots: robots.text, llms, namedUrls, entries, counts, ...cutTtl }
  if (discovery.entries.length === 0 && pageCount === 0) {
    const nothing = 'nothing_found: no page could be listed. The sitemap is a template.'
    return { ...existing, pages: [{ url: `${origin}/` }], warnings: [...warnings, nothing] }
  }
  return {
    ...existing,
    mode: discovery.fromSitemap ? 'sitemap+crawl' : 'crawl',
    name: discovery.siteName ?? homePage?.title,
    summary: homePage?.description,
    language: homePage?.language,
    pages,
    warnings,
    ttl: ttlSeconds,
    ...cutTtl,
  }
}
