import { type AiPolicy, deniedCrawlers } from './ai-crawlers.ts'
import { parseRobots } from './robots-rules.ts'

export interface RobotsRequest {
  readonly sitemapUrl: string
  readonly ai: AiPolicy
  /** The site's own file, when it has one. */
  readonly existing?: string
}

/** A robots.txt. An existing file is kept to the letter; what it does not say yet is added at its end. */
export const writeRobots = async ({ sitemapUrl, ai, existing }: RobotsRequest): Promise<string> => {
  const known = await parseRobots(existing ?? '', '*')
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
  const ended = existing.endsWith('\n') ? existing : `${existing}\n`
  return `${ended}${crawlers.length > 0 && isOpen(existing) ? 'Disallow:\n' : ''}\n${additions}`
}

/**
 * Whether the file ends in a group without rules: `User-agent` lines that follow, even after other lines, would join it.
 * Google reads more spellings as such a line than we do; an empty `Disallow` too many changes nothing.
 */
const isOpen = (text: string): boolean => {
  const last = text.split(/\r\n|\r|\n/).findLast((line) => USER_AGENT.test(line) || RULE.test(line))
  return last !== undefined && USER_AGENT.test(last)
}

const USER_AGENT = /^\s*user[\s-]?agent/i
const RULE = /^\s*(?:dis)?allow\s*:/i
