import { FetchFailure } from '../../web/fetch-failure.ts'
import { isCapacityFailure } from '../../web/single-flight.ts'
import type { WebFetcher } from '../../web/web-fetcher.ts'
import { collectSitemaps } from './collect-sitemaps.ts'
import { crawlPages } from './crawl-pages.ts'
import { findOrigin, withoutWww } from './find-origin.ts'
import type { RobotsRules } from './robots.ts'
import { createSiteClient, type SiteClient } from './site-client.ts'

interface SiteNamesOptions {
  readonly fetcher: WebFetcher
  readonly product: string
  readonly nowMs: number
}

/** For robots.txt, the home page and sitemaps. */
const requestsMax = 4
const requestsMin = 3

const namesMax = 5_000
const totalMsMax = 10_000
const bytesMax = 2_097_152
const charsMax = 200

/** Paths that the home page and the sitemaps name. Rejects with FetchFailure only for want of a slot. */
export async function readSiteNames(
  origin: string,
  { fetcher, product, nowMs }: SiteNamesOptions,
): Promise<ReadonlySet<string>> {
  try {
    const { hostname } = new URL(origin)
    const reservation = fetcher.reserve(hostname, { countMax: requestsMax, countMin: requestsMin })
    try {
      const deadlineAtMs = performance.now() + totalMsMax
      const limits = { deadlineAtMs, pagesMax: 2, bytesMax, requestsMax, reservation }
      return await readNamesAt(origin, createSiteClient(fetcher, limits), { product, nowMs })
    } finally {
      reservation.release()
    }
  } catch (failure) {
    if (!(failure instanceof FetchFailure) || isCapacityFailure(failure)) throw failure
    return new Set()
  }
}

async function readNamesAt(
  origin: string,
  client: SiteClient,
  { product, nowMs }: Omit<SiteNamesOptions, 'fetcher'>,
): Promise<ReadonlySet<string>> {
  function readHome(origin: string, robots: RobotsRules) {
    const limits = { suggestions: [], pagesMax: 1, urlsMax: namesMax, nowMs, onPage() {} }
    return crawlPages({ ...limits, origin, robots, client })
  }
  const { origin: found, robots } = await findOrigin(new URL(origin).host, product, client, [origin])
  const home = await readHome(found, robots.rules)
  const moved = home.homeOrigin
  const isMoved = moved !== undefined && hostOf(moved) === hostOf(found)
  const links = isMoved ? await readHome(moved, robots.rules) : home
  const search = { origin: found, robots: robots.rules, client, urlsMax: namesMax, nowMs }
  const { listed } = await collectSitemaps(search)
  const entries = listed.entriesAt(found, robots.rules)
  const paths = [...links.found, ...entries.map(({ loc }) => loc)].map(pathOf)
  return new Set(['/', ...paths.filter((path) => path.length <= charsMax).slice(0, namesMax)])
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address)
  return pathname + search
}

function hostOf(origin: string): string {
  return withoutWww(new URL(origin).host)
}
