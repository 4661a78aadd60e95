import { FetchFailure } from '../web/failure.ts'
import { siteOf } from './domain.ts'
import { ALLOW_ALL, DENY_ALL, parseRobots, type RobotsRules } from './robots-rules.ts'
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

/**
 * Finds out where a site answers, by asking for its robots.txt: https, else http; with or without `www`, as it redirects.
 * Rejects with FetchFailure when it answers nowhere.
 */
export const findOrigin = async (
  host: string,
  product: string,
  client: SiteClient,
  candidates: readonly string[] = [`https://${host}`, `http://${host}`],
): Promise<Origin> => {
  const failures: unknown[] = []
  for (const origin of candidates) {
    try {
      const file = await client.text(`${origin}/robots.txt`, ROBOTS_BYTES_MAX)
      if (file === null) break
      return settle(origin, host, file, product)
    } catch (failure) {
      if (!(failure instanceof FetchFailure) || !MAY_SPEAK_HTTP.has(failure.reason)) throw failure
      failures.push(failure)
    }
  }
  throw failures[0] ?? new FetchFailure('timeout_total')
}

/** RFC 9309: what must be read at least. */
const ROBOTS_BYTES_MAX = 512_000

/** After these failures of https, plain http may still work. */
const MAY_SPEAK_HTTP: ReadonlySet<string> = new Set([
  'connect_refused',
  'connection_reset',
  'unreachable',
  'tls_error',
  'protocol_error',
  'timeout_connect',
  'timeout_headers',
])

const settle = (asked: string, host: string, { page, text }: TextFile, product: string): Origin => {
  const stayed = siteOf(page.url.hostname) === siteOf(host)
  const origin = stayed ? page.url.origin : asked
  if (page.status >= 500) {
    const warnings = ['robots_unavailable: robots.txt answers with an error, so nothing was crawled']
    return { origin, robots: { text: null, rules: DENY_ALL, warnings } }
  }
  const isFile = page.status === 200 && stayed && !/^\ufeff?\s*</.test(text)
  if (!isFile) return { origin, robots: { text: null, rules: ALLOW_ALL, warnings: [] } }
  const complete = page.truncated ? text.slice(0, text.lastIndexOf('\n') + 1) : text
  const warnings = page.truncated ? ['robots_long: robots.txt was read to its first 500 KiB'] : []
  return { origin, robots: { text: complete, rules: parseRobots(complete, product), warnings } }
}
