import { type CpuBudget, createCpuBudget } from '../../lib/cooperative-scheduler.ts'
import { words } from '../../lib/words.ts'
import crawlers from './data/ai-crawlers.json' with { type: 'json' }

export interface RobotsRules {
  allows(path: string): boolean
  /** Values of the `Sitemap` lines, which are for all crawlers. */
  readonly sitemaps: readonly string[]
}

export async function parseRobots(text: string, product: string, budget: CpuBudget = createCpuBudget()) {
  const { groups, sitemaps, endsOpen } = await budget.run(readGroups(text))
  const mine = groups.filter(({ agents }) => agents.includes(product.toLowerCase()))
  const chosen = mine.length > 0 ? mine : groups.filter(({ agents }) => agents.includes('*'))
  const isAllowed = await budget.run(createMatcher(chosen.flatMap((group) => group.rules)))
  return {
    allows: (path: string) => path === '/robots.txt' || isAllowed(normalizePath(path)),
    sitemaps,
    /** Product tokens of all groups, in lower case. */
    agents: new Set(groups.flatMap(({ agents }) => agents)),
    /** The file ends in a group without rules, which `User-agent` lines that follow would join. */
    endsOpen,
  }
}

export const allowAll: RobotsRules = { allows: () => true, sitemaps: [] }
export const denyAll: RobotsRules = { allows: () => false, sitemaps: [] }

interface Rule {
  readonly allow: boolean
  readonly pattern: string
}

const sitemapsMax = 100

/** Consecutive `User-agent` lines share the rules below them. Unknown lines do not end a group. */
function* readGroups(text: string) {
  const groups: { readonly agents: string[]; readonly rules: Rule[] }[] = []
  const sitemaps: string[] = []
  let isInUserAgents = false
  let endsOpen = false
  let chars = 0
  for (const [line] of text.replace(/^\ufeff/, '').matchAll(/[^\r\n]+/g)) {
    chars += line.length + charsPerLine
    if (chars > stepChars) yield
    if (chars > stepChars) chars = 0
    if (anyUserAgent.test(line)) endsOpen = true
    else if (/^\s*(?:dis)?allow\s*:/i.test(line)) endsOpen = false
    const [, key = '', value = ''] = robotsLine.exec(line.slice(0, lineCharsMax).trimStart()) ?? []
    const name = key.toLowerCase()
    if (name === 'user-agent') {
      if (!isInUserAgents) groups.push({ agents: [], rules: [] })
      groups.at(-1)?.agents.push(productToken(value))
      isInUserAgents = true
    } else if (name === 'allow' || name === 'disallow') {
      isInUserAgents = false
      const pattern = value.trim()
      if (pattern !== '')
        groups.at(-1)?.rules.push({ allow: name === 'allow', pattern: normalizePath(pattern) })
    } else if (name === 'sitemap' && sitemaps.length < sitemapsMax) {
      sitemaps.push(...(/\S+/.exec(value) ?? []))
    }
  }
  return { groups, sitemaps, endsOpen }
}

/** The spellings that Google accepts, so that a group which only Google sees counts as open too. */
const anyUserAgent = /^\s*user[\s-]?agent/i

const robotsLine = /^([a-z-]+)\s*:\s*([^#]*)/i
/** Twice the longest path that is checked. */
const lineCharsMax = 4_096
/** In one step of the cooperative scheduler. Each line counts for a few characters more than it has. */
const stepChars = 16_384
const charsPerLine = 16

function productToken(value: string): string {
  const text = value.trim().toLowerCase()
  return text.startsWith('*') ? '*' : (/^[a-z0-9_-]+/.exec(text)?.[0] ?? text)
}

const stepRules = 500

/** The longest pattern decides, then the one that allows. Rules that take too much work disallow: the polite mistake. */
function* createMatcher(rules: readonly Rule[]): Generator<void, (path: string) => boolean> {
  const patterns: (Rule & ReturnType<typeof compilePattern>)[] = []
  for (const { allow, pattern } of rules) {
    patterns.push({ allow, pattern, ...compilePattern(pattern) })
    if (patterns.length % stepRules === 0) yield
  }
  patterns.sort(
    (one, other) => other.pattern.length - one.pattern.length || Number(other.allow) - Number(one.allow),
  )
  yield
  let work = 0
  return (path) => {
    const workMax = Math.min(workTotalMax, work + pathWorkMax)
    for (const { allow, pattern, start, matches } of patterns) {
      const isCandidate = path.startsWith(start)
      work += isCandidate ? path.length + pattern.length : 1
      if (work > workMax) return false
      if (isCandidate && matches(path)) return allow
    }
    return true
  }
}

/** Rules tried and characters compared with one file: some tenths of a second. */
const workTotalMax = 30_000_000
/** Work for one path, which is matched in one step of some milliseconds. */
const pathWorkMax = 5_000_000

function compilePattern(pattern: string) {
  const anchored = pattern.endsWith('$')
  const [start = '', ...parts] = (anchored ? pattern.slice(0, -1) : pattern).split('*')
  const last = anchored ? parts.pop() : undefined
  function matches(path: string): boolean {
    let at = start.length
    for (const part of parts) {
      const found = path.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    if (!anchored) return true
    return last === undefined ? at === path.length : path.length - last.length >= at && path.endsWith(last)
  }
  return { start, matches }
}

function normalizePath(path: string): string {
  return path
    .replace(/%([0-9a-fA-F]{2})/g, (whole, hex: string) => {
      const character = String.fromCharCode(Number.parseInt(hex, 16))
      return /[A-Za-z0-9._~-]/.test(character) ? character : whole.toUpperCase()
    })
    .replace(/[^\u0020-\u007e]+/g, (text) => encodeURIComponent(text.toWellFormed()))
}

interface RobotsRequest {
  readonly sitemapUrl: string
  readonly ai: AiPolicy
  readonly signals?: string | undefined
  readonly existing?: string | undefined
  /** Sitemaps that this file names and that could be read: then another one is not added. */
  readonly namedUrls?: readonly string[]
}

export async function writeRobots(request: RobotsRequest): Promise<string> {
  const { ai, existing = '' } = request
  const isNew = existing.trim() === ''
  const parsed = await parseRobots(existing, '*')
  const signals = signalLine(request)
  const crawlers = deniedCrawlers(ai).filter((name) => !parsed.agents.has(name.toLowerCase()))
  const additions = [
    ...(request.existing === undefined ? [`User-agent: *\n${signals}Allow: /\n`] : []),
    ...(crawlers.length === 0
      ? []
      : [`${crawlers.map((name) => `User-agent: ${name}`).join('\n')}\nDisallow: /\n`]),
    // With a rule, because `User-agent` lines that follow would join a group without one.
    ...(request.existing === undefined || signals === '' ? [] : [`User-agent: *\n${signals}Disallow:\n`]),
    ...missingSitemaps(request, parsed.sitemaps).map((url) => `Sitemap: ${url}\n`),
  ].join('\n')
  if (isNew) return additions
  if (additions === '') return existing
  const ended = existing.endsWith('\n') ? existing : `${existing}\n`
  // An unnecessary empty `Disallow` line changes nothing.
  const closing = (crawlers.length > 0 || signals !== '') && parsed.endsOpen ? 'Disallow:\n' : ''
  return `${ended}${closing}\n${additions}`
}

function signalLine({ signals, existing = '' }: RobotsRequest): string {
  if (signals === undefined || /^[ \t]*content-signal[ \t]*:/im.test(existing)) return ''
  return `Content-Signal: ${signals.replaceAll(':', '=').replaceAll(',', ', ')}\n`
}

/** Sitemaps that have to be added. A line without scheme and host is read by few crawlers, so it is said again in full. */
function missingSitemaps({ sitemapUrl, namedUrls = [] }: RobotsRequest, written: readonly string[]) {
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

/** The crawlers of AI companies that a robots.txt denies: none, all, or those that train models. */
export type AiPolicy = 'allow' | 'deny' | 'train-deny'

/** Product tokens of crawlers that gather text to train models on, and of those that fetch pages to answer a user's question. */
export const [trainingCrawlers = [], answeringCrawlers = []] = [crawlers.training, crawlers.answering].map(
  words,
)

function deniedCrawlers(policy: AiPolicy): readonly string[] {
  if (policy === 'allow') return []
  return policy === 'deny' ? [...trainingCrawlers, ...answeringCrawlers] : trainingCrawlers
}
