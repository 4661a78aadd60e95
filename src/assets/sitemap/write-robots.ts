import { type AiPolicy, deniedCrawlers } from './ai-crawlers.ts'
import { parseRobots } from './parse-robots.ts'

export interface RobotsRequest {
  readonly sitemapUrl: string
  readonly ai: AiPolicy
  /** The file that the site already has. */
  readonly existing?: string
}

/** Writes a robots.txt. An existing file is kept as it is, with the missing lines after it. */
export async function writeRobots({ sitemapUrl, ai, existing }: RobotsRequest): Promise<string> {
  const parsed = await parseRobots(existing ?? '', '*')
  const crawlers = deniedCrawlers(ai).filter((name) => !parsed.agents.has(name.toLowerCase()))
  const additions = [
    ...(existing === undefined ? ['User-agent: *\nAllow: /\n'] : []),
    ...(crawlers.length === 0
      ? []
      : [`${crawlers.map((name) => `User-agent: ${name}`).join('\n')}\nDisallow: /\n`]),
    ...(parsed.sitemaps.includes(sitemapUrl) ? [] : [`Sitemap: ${sitemapUrl}\n`]),
  ].join('\n')
  if (existing === undefined || existing.trim() === '') return additions
  if (additions === '') return existing
  const ended = existing.endsWith('\n') ? existing : `${existing}\n`
  // An unnecessary empty `Disallow` line changes nothing.
  const closing = crawlers.length > 0 && parsed.endsOpen ? 'Disallow:\n' : ''
  return `${ended}${closing}\n${additions}`
}
