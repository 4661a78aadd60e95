/** A robots.txt as RFC 9309 reads it. */
export interface RobotsRules {
  /** Whether the crawler that the rules were read for may fetch this path and query. */
  allows(path: string): boolean
  /** Absolute URLs of `Sitemap` lines, for everybody. */
  readonly sitemaps: readonly string[]
  /** Product tokens that the file speaks to, lower case. */
  readonly agents: ReadonlySet<string>
}

/** @param product the crawler's product token, for example `MintmarkBot` */
export const parseRobots = (text: string, product: string): RobotsRules => {
  const groups = readGroups(text)
  const mine = groups.filter(({ agents }) => agents.includes(product.toLowerCase()))
  const chosen = mine.length > 0 ? mine : groups.filter(({ agents }) => agents.includes('*'))
  const isAllowed = createMatcher(chosen.flatMap((group) => group.rules))
  return {
    allows: (path) => path === '/robots.txt' || isAllowed(normalizePath(path)),
    sitemaps: [...text.matchAll(SITEMAP_LINE)].map((match) => match[1] ?? ''),
    agents: new Set(groups.flatMap(({ agents }) => agents)),
  }
}

export const ALLOW_ALL: RobotsRules = { allows: () => true, sitemaps: [], agents: new Set() }
export const DENY_ALL: RobotsRules = { allows: () => false, sitemaps: [], agents: new Set() }

interface Rule {
  readonly allow: boolean
  readonly pattern: string
}

interface Group {
  readonly agents: string[]
  readonly rules: Rule[]
}

const SITEMAP_LINE = /^[^\S\r\n]*sitemap[^\S\r\n]*:[^\S\r\n]*([^\s#]+)/gim

/** Consecutive `User-agent` lines share the rules below them; unknown lines do not end a group. */
const readGroups = (text: string): readonly Group[] => {
  const groups: Group[] = []
  let naming = false
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)) {
    const [, key = '', value = ''] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line) ?? []
    const name = key.toLowerCase()
    if (name === 'user-agent') {
      if (!naming) groups.push({ agents: [], rules: [] })
      groups.at(-1)?.agents.push(productToken(value))
      naming = true
    } else if (name === 'allow' || name === 'disallow') {
      naming = false
      const pattern = value.trim()
      if (pattern !== '')
        groups.at(-1)?.rules.push({ allow: name === 'allow', pattern: normalizePath(pattern) })
    }
  }
  return groups
}

const productToken = (value: string): string => {
  const text = value.trim().toLowerCase()
  return text.startsWith('*') ? '*' : (/^[a-z0-9_-]+/.exec(text)?.[0] ?? text)
}

/**
 * The longest pattern that matches decides; between equals, the one that allows. A file that takes too much work to
 * apply keeps us out: that is the polite side to err on.
 */
const createMatcher = (rules: readonly Rule[]): ((path: string) => boolean) => {
  const patterns = rules
    .map(({ allow, pattern }) => ({ allow, pattern, ...compilePattern(pattern) }))
    .sort(
      (one, other) => other.pattern.length - one.pattern.length || Number(other.allow) - Number(one.allow),
    )
  let work = 0
  return (path) => {
    for (const { allow, pattern, start, matches } of patterns) {
      const isCandidate = path.startsWith(start)
      work += isCandidate ? path.length + pattern.length : 1
      if (work > WORK_MAX) return false
      if (isCandidate && matches(path)) return allow
    }
    return true
  }
}

/** In rules tried and characters looked at, over the life of one file: some tenths of a second. */
const WORK_MAX = 30_000_000

export const matchesPattern = (pattern: string, path: string): boolean =>
  compilePattern(pattern).matches(path)

/** `*` is any run of characters, `$` at the end is the end. The leftmost place for each part is as good as any: no going back. */
const compilePattern = (
  pattern: string,
): { readonly start: string; readonly matches: (path: string) => boolean } => {
  const anchored = pattern.endsWith('$')
  const [first = '', ...parts] = (anchored ? pattern.slice(0, -1) : pattern).split('*')
  const last = anchored ? parts.pop() : undefined
  const matches = (path: string): boolean => {
    if (!path.startsWith(first)) return false
    let at = first.length
    for (const part of parts) {
      const found = path.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    if (!anchored) return true
    return last === undefined ? at === path.length : path.length - last.length >= at && path.endsWith(last)
  }
  return { start: first, matches }
}

/** One spelling for each path: unreserved characters bare, everything beyond ASCII in upper-case escapes. */
const normalizePath = (path: string): string =>
  path
    .replace(/%([0-9a-fA-F]{2})/g, (whole, hex: string) => {
      const character = String.fromCharCode(Number.parseInt(hex, 16))
      return /[A-Za-z0-9._~-]/.test(character) ? character : whole.toUpperCase()
    })
    .replace(/[^\u0020-\u007e]+/g, (text) => encodeURIComponent(text.toWellFormed()))
