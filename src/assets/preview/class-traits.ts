import type { Attributes } from './attribute-list.ts'

/** What the class and the id of an element tell about it, one bit each. */
export type Traits = number

/** Comments of readers, cookie notices. */
export const foreign = 1
/** Sidebars, lists of other articles, menus. */
export const marginal = 2
/** Names an author. */
export const author = 4
/** Says when the page was published. */
export const published = 8
/** Has a date in it, perhaps that of the page. */
export const dated = 16
/** Says when the page was changed. */
export const updated = 32
/** Has the logo of the site. */
export const logo = 64
/** A line about the article, which may have its date. */
export const summary = 128

/** A word of a class counts where it stands alone, or among others: `post-date`, `post_date` and `postDate`. */
const words: readonly (readonly [trait: Traits, pattern: RegExp])[] = [
  [foreign, /(?:^|[ -])(?:comments?|cookies?|consent|disqus(?:-thread)?)(?:$|[ -])/],
  [
    marginal,
    /(?:^|[ -])(?:sidebar|related|recommended|recommendations|trending|popular|newsletter|breadcrumbs?|nav|navbar|navigation|menu|footer|promo|sponsored|share|sharing|social|most-read|more-news|read-more)(?:$| )/,
  ],
  [
    author,
    /(?:^|[ -])(?:authors?|by-?lines?|byl|autor(?:e|en|es|in)?|auteurs?|verfasser(?:in)?|redakteur(?:in)?|writers?|writtenby|journalists?|contributors?|reporters?|columnists?)(?:-?(?:names?|links?|title|info|meta|list|text|by|url))?(?:$| )/,
  ],
  [
    published,
    /(?:^|[ -])(?:published|publish(?:ed)?-?(?:date|on|time|at)|pub-?(?:date|time)|posted(?:-?(?:on|at|date))?|date-?(?:published|posted|created)|post-?date|entry-?date|article-?date|news-?date|story-?date|erschienen|publicado|fecha-?publicacion|veroeffentlicht)(?:$|[ -])/,
  ],
  [
    dated,
    /(?:^|[ -])(?:date|dates|dateline|datetime|date-?text|date-?time|time|timestamp|time-?date|datum|fecha|data|pubblicato|veroffentlichung)(?:$|[ -])/,
  ],
  [updated, /(?:^|[ -])(?:(?:last-?)?(?:updated?|modified|changed)|mise-a-jour|aktualisiert|actualizado)(?:$|[ -])/],
  [summary, /(?:^|[ -])(?:meta|info|details|credits?|infos)(?:$| )/],
  [logo, /(?:^|[ -])(?:site-?)?(?:logo|brand|masthead)(?:$|[ -])/],
]

/** The beginnings of the words above: most classes have none of them, and one look tells. */
const roots =
  /comment|cookie|consent|disqus|sidebar|relat|recommend|trend|popular|letter|crumb|nav|menu|footer|promo|sponsor|shar|social|read|more-|auth|aut[oe]|by-?l|fasser|redakt|writ|journal|contrib|column|publi|pub|post|date|time|datum|fecha|data|veroff|modif|chang|jour|aktual|actual|erschien|logo|brand|masthead|meta|info|detail|credit/i

/** Reads the class and the id of an element. */
export function traitsOf(attributes: Attributes): Traits {
  return attributes.size === 0 ? 0 : traitsIn(attributes.get('class')) | traitsIn(attributes.get('id'))
}

function traitsIn(text: string | undefined): Traits {
  if (text === undefined || text === '') return 0
  const cached = known.get(text)
  if (cached !== undefined) return cached
  const traits = roots.test(text) ? read(text.slice(0, charsMax)) : 0
  if (text.length > keyCharsMax) return traits
  if (known.size >= knownMax) known.clear()
  known.set(text, traits)
  return traits
}

/** Most classes stand on many elements, and many on the pages of many sites. */
const known = new Map<string, Traits>()

function read(text: string): Traits {
  const plain = text
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[-_]+/g, '-')
    .replace(/\s+/g, ' ')
  return words.reduce((traits, [trait, pattern]) => (pattern.test(plain) ? traits | trait : traits), 0)
}

const charsMax = 512
const knownMax = 4_000
const keyCharsMax = 64
