import { FetchFailure } from '../../web/fetch-failure.ts'
import { isCapacityFailure } from '../../web/single-flight.ts'
import { siteOf } from './normalize-domain.ts'
import { allowAll, denyAll, parseRobots, type RobotsRules } from './parse-robots.ts'
import type { SiteClient, TextFile } from './site-client.ts'

export interface ExistingRobots {
  /** The file as it stands, when the site has one. */
  readonly text: string | null
  readonly rules: RobotsRules
  readonly warnings: readonly string[]
}

export interface Origin {
  readonly origin: string
  readonly robots: ExistingRobots
}

export async function findOrigin(
  host: string,
  product: string,
  client: SiteClient,
  candidates: readonly string[] = [`https://${host}`, `http://${host}`],
): Promise<Origin> {
  const failures: unknown[] = []
  for (const origin of candidates) {
    try {
      const file = await client.text(`${origin}/robots.txt`, robotsBytesMax)
      if (file === null) break
      const robots = await read(file, product)
      return { origin: await settle(origin, file.page.url, robots.rules, client), robots }
    } catch (failure) {
      if (!(failure instanceof FetchFailure) || !maySpeakHttp.has(failure.reason)) throw failure
      failures.push(failure)
    }
  }
  throw failures[0] ?? new FetchFailure('timeout_total')
}

/** RFC 9309: what must be read at least. */
const robotsBytesMax = 512_000

/** After these failures of https, plain http may still work. */
const maySpeakHttp: ReadonlySet<string> = new Set([
  'connect_refused',
  'connection_reset',
  'unreachable',
  'tls_error',
  'protocol_error',
  'timeout_connect',
  'timeout_headers',
])

async function read({ page, text }: TextFile, product: string): Promise<ExistingRobots> {
  if (page.status >= 500) {
    const warnings = ['robots_unavailable: robots.txt answers with an error, so nothing was crawled']
    return { text: null, rules: denyAll, warnings }
  }
  const isFile = page.status === 200 && !/^\ufeff?\s*</.test(text)
  if (!isFile) return { text: null, rules: allowAll, warnings: [] }
  const complete = page.truncated ? text.slice(0, text.lastIndexOf('\n') + 1) : text
  const warnings = page.truncated ? ['robots_long: robots.txt was read to its first 500 KiB'] : []
  return { text: complete, rules: await parseRobots(complete, product), warnings }
}

async function settle(asked: string, found: URL, rules: RobotsRules, client: SiteClient): Promise<string> {
  const { hostname } = new URL(asked)
  const mayHaveMoved =
    found.origin !== asked && found.pathname === '/robots.txt' && siteOf(found.hostname) === siteOf(hostname)
  if (!mayHaveMoved) return asked
  // Where we may not look, the names have to tell.
  if (!rules.allows('/')) return withoutWww(found.hostname) === withoutWww(hostname) ? found.origin : asked
  try {
    const home = await client.text(`${asked}/`, homeBytesMax)
    return home?.page.url.origin === found.origin ? found.origin : asked
  } catch (failure) {
    if (failure instanceof FetchFailure && !isCapacityFailure(failure)) return asked
    throw failure
  }
}

/** Only where the home page lies is asked, not what it says. */
const homeBytesMax = 1_024

function withoutWww(host: string): string {
  return host.replace(/^www\./, '')
}
