import { words } from '../../lib/words.ts'
import { FetchFailure } from '../../web/fetch-failure.ts'
import { isChallengeFile } from '../preview/challenge.ts'
import { isSameSite } from './normalize-domain.ts'
import { allowAll, denyAll, parseRobots, type RobotsRules } from './robots.ts'
import { ignoreFailure, type SiteClient, type TextFile } from './site-client.ts'

export interface ExistingRobots {
  readonly text: string | undefined
  readonly rules: RobotsRules
  readonly warnings: readonly string[]
}

export interface SiteOrigin {
  readonly origin: string
  readonly robots: ExistingRobots
}

/** Finds scheme and host of a site by its robots.txt, https before http. Rejects with FetchFailure. */
export async function findOrigin(
  host: string,
  product: string,
  client: SiteClient,
  candidates: readonly string[] = [`https://${host}`, `http://${host}`],
): Promise<SiteOrigin> {
  const failures: unknown[] = []
  for (const origin of candidates) {
    try {
      const file = await client.text(`${origin}/robots.txt`, robotsBytesMax)
      if (file === undefined) break
      const robots = await readRobots(file, product)
      return { origin: await resolveOrigin(origin, file.page.url, robots.rules, client), robots }
    } catch (failure) {
      if (!(failure instanceof FetchFailure) || !httpMayWork.has(failure.reason)) throw failure
      failures.push(failure)
    }
  }
  throw failures[0] ?? new FetchFailure('timeout_total')
}

/** Returns an origin with its robots.txt if its home page answers there and leads to no other. */
export async function originThatAnswers(
  origin: string,
  product: string,
  client: SiteClient,
): Promise<SiteOrigin | undefined> {
  const home = await client.text(`${origin}/`, homeBytesMax).catch(ignoreFailure)
  if (home === undefined || home.page.status >= 400 || home.page.url.origin !== origin) return undefined
  const file = await client.text(`${origin}/robots.txt`, robotsBytesMax).catch(ignoreFailure)
  return file && { origin, robots: await readRobots(file, product) }
}

/** The part that every crawler has to read (RFC 9309). */
const robotsBytesMax = 512_000

/** After these failures of https, http may still work. */
const httpMayWork: ReadonlySet<string> = new Set(
  words(`
    connect_refused connection_reset unreachable tls_error protocol_error timeout_connect timeout_headers
  `),
)

async function readRobots({ page, text }: TextFile, product: string): Promise<ExistingRobots> {
  const challenge = isChallengeFile(page, text)
    ? ['target_challenge: robots.txt is behind a challenge for humans']
    : []
  if (page.status >= 500) {
    const warnings = ['robots_unavailable: robots.txt answers with an error, so nothing was crawled']
    return { text: undefined, rules: denyAll, warnings: [...challenge, ...warnings] }
  }
  const isFile = page.status === 200 && !/^\ufeff?\s*</.test(text)
  if (!isFile) return { text: undefined, rules: allowAll, warnings: challenge }
  const completeLines = page.truncated ? text.slice(0, text.lastIndexOf('\n') + 1) : text
  const warnings = page.truncated ? ['robots_long: robots.txt was read to its first 500 KiB'] : []
  return { text: completeLines, rules: await parseRobots(completeLines, product), warnings }
}

/** Follows a site that redirects robots.txt to another host of its own, such as www, if its home page is there as well. */
async function resolveOrigin(
  requested: string,
  landed: URL,
  rules: RobotsRules,
  client: SiteClient,
): Promise<string> {
  const { hostname } = new URL(requested)
  const mayHaveMoved =
    landed.origin !== requested && landed.pathname === '/robots.txt' && isSameSite(landed.hostname, hostname)
  if (!mayHaveMoved) return requested
  // The home page may not be fetched, so the host names decide.
  if (!rules.allows('/'))
    return withoutWww(landed.hostname) === withoutWww(hostname) ? landed.origin : requested
  const home = await client.text(`${requested}/`, homeBytesMax).catch(ignoreFailure)
  return home?.page.url.origin === landed.origin ? landed.origin : requested
}

/** Only the URL of the home page is needed, not its content. */
const homeBytesMax = 1_024

export function withoutWww(host: string): string {
  return host.replace(/^www\./, '')
}
