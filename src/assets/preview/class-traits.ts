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

/** Reads classes of one page, which has few different ones. */
export function createClassReader(): (attributes: Attributes) => Traits {
  const known = new Map<string, Traits>()
  function traitsOf(text: string | undefined): Traits {
    if (text === undefined || text === '') return 0
    const cached = known.get(text)
    if (cached !== undefined) return cached
    const plain = text
      .slice(0, charsMax)
      .replace(/([a-z])([A-Z])/g, '$1-$2')
      .toLowerCase()
      .replace(/[-_]+/g, '-')
      .replace(/[\s]+/g, ' ')
    const traits = words.reduce((sum, [trait, pattern]) => (pattern.test(plain) ? sum | trait : sum), 0)
    if (known.size < knownMax) known.set(text, traits)
    return traits
  }
  return (attributes) =>
    attributes.size === 0 ? 0 : traitsOf(attributes.get('class')) | traitsOf(attributes.get('id'))
}

const charsMax = 512
const knownMax = 2_000
