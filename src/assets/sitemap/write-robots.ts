import { createCpuBudget } from '../../lib/cooperative-scheduler.ts'
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
  const isOpen = crawlers.length > 0 && (await createCpuBudget().run(endsOpen(existing)))
  return `${ended}${isOpen ? 'Disallow:\n' : ''}\n${additions}`
}

/**
 * Whether the file ends in a group without rules, which `User-agent` lines that follow would join. This accepts the
 * spellings of `User-agent` that Google accepts; an unnecessary empty `Disallow` line changes nothing.
 */
function* endsOpen(text: string): Generator<void, boolean> {
  let isOpen = false
  let chars = 0
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    if (userAgent.test(line)) isOpen = true
    else if (rule.test(line)) isOpen = false
    chars += line.length + charsPerLine
    if (chars > stepChars) yield
    if (chars > stepChars) chars = 0
  }
  return isOpen
}

/** In one step of the cooperative scheduler. Each line counts for a few characters more than it has. */
const stepChars = 65_536
const charsPerLine = 16

const userAgent = /^\s*user[\s-]?agent/i
const rule = /^\s*(?:dis)?allow\s*:/i
