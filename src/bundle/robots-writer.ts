import { type AiPolicy, deniedCrawlers } from './ai-crawlers.ts'
import { parseRobots } from './robots-rules.ts'

export interface RobotsRequest {
  readonly sitemapUrl: string
  readonly ai: AiPolicy
  /** The site's own file, when it has one. */
  readonly existing?: string
}

/** A robots.txt. An existing file is kept to the letter; what it does not say yet is added at its end. */
export const writeRobots = ({ sitemapUrl, ai, existing }: RobotsRequest): string => {
  const known = parseRobots(existing ?? '', '*')
  const crawlers = deniedCrawlers(ai).filter((name) => !known.agents.has(name.toLowerCase()))
  const additions = [
    ...(existing === undefined ? ['User-agent: *\nAllow: /\n'] : []),
    ...(crawlers.length === 0
      ? []
      : [`${crawlers.map((name) => `User-agent: ${name}`).join('\n')}\nDisallow: /\n`]),
    ...(known.sitemaps.includes(sitemapUrl) ? [] : [`Sitemap: ${sitemapUrl}\n`]),
  ].join('\n')
  if (existing === undefined || existing.trim() === '') return additions
  if (additions === '') return existing
  return `${existing}${existing.endsWith('\n') ? '' : '\n'}\n${additions}`
}
