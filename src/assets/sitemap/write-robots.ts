import { type AiPolicy, deniedCrawlers } from './ai-crawlers.ts'
import { parseRobots } from './parse-robots.ts'

export interface RobotsRequest {
  readonly sitemapUrl: string
  readonly ai: AiPolicy
  /** The file that the site already has. */
  readonly existing?: string
  /** Sitemaps that this file names and that could be read: then another one is not added. */
  readonly namedUrls?: readonly string[]
}

/** Writes a robots.txt. An existing file is kept as it is, with the missing lines after it. */
export async function writeRobots(request: RobotsRequest): Promise<string> {
  const { ai, existing } = request
  const parsed = await parseRobots(existing ?? '', '*')
  const crawlers = deniedCrawlers(ai).filter((name) => !parsed.agents.has(name.toLowerCase()))
  const additions = [
    ...(existing === undefined ? ['User-agent: *\nAllow: /\n'] : []),
    ...(crawlers.length === 0
      ? []
      : [`${crawlers.map((name) => `User-agent: ${name}`).join('\n')}\nDisallow: /\n`]),
    ...missingSitemaps(request, parsed.sitemaps).map((url) => `Sitemap: ${url}\n`),
  ].join('\n')
  if (existing === undefined || existing.trim() === '') return additions
  if (additions === '') return existing
  const ended = existing.endsWith('\n') ? existing : `${existing}\n`
  // An unnecessary empty `Disallow` line changes nothing.
  const closing = crawlers.length > 0 && parsed.endsOpen ? 'Disallow:\n' : ''
  return `${ended}${closing}\n${additions}`
}

/** Sitemaps that have to be added. A line without scheme and host is read by few crawlers, so it is said again in full. */
function missingSitemaps(
  { sitemapUrl, namedUrls = [] }: RobotsRequest,
  written: readonly string[],
): readonly string[] {
  const isNamed = namedUrls.length > 0
  const wanted = isNamed ? namedUrls : [sitemapUrl]
  const isComplete = isNamed && written.some((url) => URL.canParse(url) && wanted.includes(new URL(url).href))
  return isComplete ? [] : wanted.filter((url) => !written.includes(url))
}

/** Tells which files belong together, for a site that has a robots.txt. Undefined if each may be installed alone. */
export function installWarning({ sitemapUrl, namedUrls = [] }: RobotsRequest): string | undefined {
  const { pathname } = new URL(sitemapUrl)
  const [named] = namedUrls
  if (named === undefined)
    return `install_together: robots.txt now names ${sitemapUrl}, so install robots.txt and sitemap.xml together`
  if (namedUrls.some((url) => new URL(url).pathname === pathname)) return undefined
  return `install_together: robots.txt names ${named} already, so it can be installed alone; install sitemap.xml at that address, or together with a robots.txt that names ${sitemapUrl} instead`
}
