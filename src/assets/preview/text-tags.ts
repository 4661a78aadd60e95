import { words } from '../../lib/words.ts'

/** The text without HTML tags, escaped or not, that a program has left in it. Other angle brackets are the author's. */
export function withoutTags(text: string): string {
  if (!/<|&lt;/i.test(text)) return text
  const letters = new Set<string>()
  for (const [, slash, name = ''] of text.matchAll(tagPattern)) if (slash !== '') letters.add(name)
  return text.replace(tagPattern, (whole, slash: string, name: string, attributes: string) =>
    isTag(slash, name, attributes, letters) ? ' ' : whole,
  )
}

/** @param closed the names that the text has an end tag of */
function isTag(slash: string, name: string, attributes: string, closed: ReadonlySet<string>): boolean {
  const isHtml =
    tagNames.has(name.toLowerCase()) && (name === name.toLowerCase() || name === name.toUpperCase())
  if (!isHtml) return false
  const given = attributes.replace(/\/$/, '').trim()
  if (given !== '') return given.includes('=')
  // Types are called by one letter as well: `Box<A>`.
  return slash !== '' || name.length > 1 || name.toLowerCase() === 'p' || closed.has(name)
}

const tagPattern = /(?:<|&lt;)(\/?)([a-z][a-z0-9]*)(\/?|\s(?:(?!&[lg]t;)[^<>]){0,400})(?:>|&gt;)/gi

/** Names that are also those of types in programs, such as `object`, are left out. */
const tagNames: ReadonlySet<string> = new Set(
  words(`
    a abbr acronym address article aside b big blockquote body br button caption center cite code col colgroup dd del details div dl dt em
    embed fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input ins kbd label li
    main mark meta nav nobr noscript ol p picture pre q s samp script section small source span strike strong style sub summary
    sup table tbody td textarea tfoot th thead tr tt u ul var video wbr
  `),
)
