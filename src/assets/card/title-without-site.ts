import { nonEmptyText } from '../preview/page-text.ts'
import { letters, titleParts } from '../preview/site-name.ts'
import type { CardSite, StatedFacts } from './stated-facts.ts'

type TitledPage = Pick<StatedFacts, 'title' | 'siteName' | 'description' | 'heading'>

/**
 * Returns the title of a page without the name of its site, unless it is nothing else, and without its description. What
 * follows the page's own heading is a name of the site, too: in another language, or of a part of it.
 */
export function titleWithoutSite(
  { title, siteName, description = '', heading }: TitledPage,
  site: Pick<CardSite, 'name' | 'titleParts'>,
  isFrontPage: boolean,
): string | undefined {
  if (title === undefined) return undefined
  const names = new Set([siteName, site.name].flatMap((name) => (name === undefined ? [] : [letters(name)])))
  function isSite(part = ''): boolean {
    const key = letters(part)
    return names.has(key) || site.titleParts.has(key)
  }
  const whole = nonEmptyText(title) ?? title
  const before = whole.endsWith(description) ? whole.slice(0, whole.length - description.length) : ''
  const isDescribed = description === '' || separatorAtEnd.test(before)
  let rest = (isDescribed && before.replace(separatorAtEnd, '')) || whole
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
  const isHeading = heading !== undefined && rest.startsWith(heading) && !isSite(heading)
  return isHeading && startsWithSeparator.test(rest.slice(heading.length)) ? heading : rest
}

const startsWithSeparator = /^\s+[-–—·•~/|»«›‹｜_]\s/
const separatorAtEnd = /(?<![\s\-–—:·•~/|»«›‹｜_])[\s\-–—:·•~/|»«›‹｜_]+$/

/** Names that generators give to a front page, which say nothing on a card. */
const homeWords = new Set(
  ['home', 'homepage', 'index', 'start', 'startseite', 'accueil', 'inicio', 'início'].map(letters),
)
