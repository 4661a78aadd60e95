import { createWorkBudget } from '../lib/cooperative-scheduler.ts'
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
  const isOpen = crawlers.length > 0 && (await createWorkBudget().run(endsOpen(existing)))
  return `${ended}${isOpen ? 'Disallow:\n' : ''}\n${additions}`
}

/**
 * Whether the file ends in a group without rules: `User-agent` lines that follow, even after other lines, would join it.
 * Google reads more spellings as such a line than we do; an empty `Disallow` too many changes nothing.
 */
function* endsOpen(text: string): Generator<void, boolean> {
  let isOpen = false
  let chars = 0
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    if (USER_AGENT.test(line)) isOpen = true
    else if (RULE.test(line)) isOpen = false
    chars += line.length + CHARS_PER_LINE
    if (chars > STEP_CHARS) yield
    if (chars > STEP_CHARS) chars = 0
  }
  return isOpen
}

/** In one step of the cooperative scheduler; a line costs something however short it is. */
const STEP_CHARS = 65_536
const CHARS_PER_LINE = 16

const USER_AGENT = /^\s*user[\s-]?agent/i
const RULE = /^\s*(?:dis)?allow\s*:/i
