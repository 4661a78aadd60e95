import { nonEmptyText } from '../../assets/preview/clean-text.ts'
import { letters, titleParts } from '../../assets/preview/site-identity.ts'
import type { SiteFacts } from './site-facts.ts'

/** Returns a title without the name of its site, unless it is nothing else. */
export function titleWithoutSite(
  title: string,
  siteName: string | undefined,
  site: Pick<SiteFacts, 'name' | 'titleParts'>,
  isFrontPage: boolean,
): string {
  const names = new Set([siteName, site.name].flatMap((name) => (name === undefined ? [] : [letters(name)])))
  function isSite(part = ''): boolean {
    const key = letters(part)
    return names.has(key) || site.titleParts.has(key)
  }
  let rest = nonEmptyText(title) ?? title
  let parts = titleParts(rest)
  while (parts.length > 1 && isSite(parts.at(-1))) {
    rest = rest.slice(0, rest.lastIndexOf(parts.at(-1) ?? '')).replace(separatorAtEnd, '')
    parts = titleParts(rest)
  }
  if (isFrontPage) return homeWords.has(letters(rest)) ? (siteName ?? site.name ?? rest) : rest
  while (parts.length > 1 && isSite(parts[0])) {
    const [first = ''] = parts
    rest = rest.slice(rest.indexOf(first) + first.length).replace(/^[\s\-–—:·•~/|»«›‹｜_]+/, '')
    parts = titleParts(rest)
  }
  return rest
}

const separatorAtEnd = /(?<![\s\-–—:·•~/|»«›‹｜_])[\s\-–—:·•~/|»«›‹｜_]+$/

/** Names that generators give to a front page, which say nothing on a card. */
const homeWords = new Set(
  ['home', 'homepage', 'index', 'start', 'startseite', 'accueil', 'inicio', 'início'].map(letters),
)
