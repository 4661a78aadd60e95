import { words } from '../../lib/words.ts'
import classWords from './data/class-words.json' with { type: 'json' }
import elements from './data/elements.json' with { type: 'json' }
import type { Attributes } from './markup-reader.ts'
import { NameMap } from './tags.ts'

/**
 * The surroundings of an element, one bit each. Inert are templates and drawings, of which nothing is part of the page;
 * boilerplate menus, asides, forms and comments of readers. Nested is a microdata item that is a property of another. A
 * footnote is the footer of an article, and quoted a quotation: neither is text of the article, but the footer may name the
 * author. A margin is what its class calls so, read if nothing else says as much. Unseen is what no reader sees without scripts, or as text: links there are not followed.
 */
export const inside = bits(elements.flagNames as FlagName[])
type FlagName = keyof typeof elements.flagged | 'nested' | 'byline' | 'footnote' | 'margin' | 'inLogo'
/** `topLevel` is directly inside the body, and not inherited; `raised` inside a superscript. */
const { silent, boilerplate, nested, article, footnote, margin, inLogo, listed, defined, topLevel, raised } =
  inside

export function elementFlags(name: string, attributes: Attributes, traits: Traits, around: number): number {
  const inherited = inheritedFlags(name === 'article' ? around & ~(listed | defined) : around)
  if (name === 'main') return (inherited & ~(boilerplate | nested | margin | listed | defined)) | article
  return (
    inherited |
    ownFlags(name, around) |
    (attributes.size === 0 ? 0 : attributeFlags(name, attributes, traits))
  )
}

export function inheritedFlags(around: number): number {
  return around & ~topLevel
}

function ownFlags(name: string, around: number): number {
  // Some programs wrap the whole page in a form.
  if (name === 'form' && (around & topLevel) !== 0) return 0
  if (name === 'footer' && (around & article) !== 0) return footnote
  // The sign of a footnote, or of a label that is explained elsewhere.
  if (name === 'a' && (around & raised) !== 0) return silent
  return flagsByName.get(name) ?? 0
}

const flagsByName = new Map<string, number>()
for (const [flag, names] of Object.entries(elements.flagged))
  for (const name of words(names))
    flagsByName.set(name, (flagsByName.get(name) ?? 0) | inside[flag as keyof typeof elements.flagged])

function attributeFlags(name: string, attributes: Attributes, traits: Traits): number {
  const property = attributes.get('itemprop')
  const isPart =
    property !== undefined && attributes.has('itemscope') && !/^(?:mainEntity|blogPost)/.test(property)
  const isForeign =
    (traits & foreign) !== 0 || (name !== 'article' && commentType.test(attributes.get('itemtype') ?? ''))
  return (
    (isForeign ? boilerplate | nested : 0) |
    (isPart ? nested : 0) |
    ((traits & marginal) !== 0 ? margin : 0) |
    ((traits & logo) !== 0 ? inLogo : 0) |
    (property === 'articleBody' ? article : 0)
  )
}

const commentType = /\/(?:Comment|UserComments|Answer)$/

export type Traits = number

/** A word counts where it stands alone or among others: `date`, `post-date`, `post_date`, `postDate`. */
const traitNames = Object.keys(classWords) as readonly (keyof typeof classWords)[]

/**
 * Foreign are comments of readers, cookie notices, Doxygen's members of a class; marginal sidebars, lists of other articles,
 * menus. A summary is a line about the article, which may have its date; other dates say when something begins or ends; a
 * heading is Doxygen's title of a page, which has no element of its own in some versions; a source is code.
 */
export const trait = bits(traitNames)
const { foreign, marginal, author, published, dated, logo, otherDate } = trait
/**
 * Words that say something only beside others. With a date, `ofArticle` makes it that of publication (`post-date`), `event`
 * that of an event; `portrait` makes of an author no name (`author-bio`), `site` of a title the site's (`site-title`),
 * `program` of a comment one in a program, which TypeDoc makes a page of (`tsd-comment`), but for a `member` of it; `beside`
 * of a margin what stands next to it (`has-sidebar`).
 */
const { ofArticle, portrait, site, title, event, program, member, beside } = trait

function bits<Name extends string>(names: readonly Name[]): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name, index) => [name, 1 << index])) as Readonly<Record<Name, number>>
}

const traitsOfWords = new NameMap<Traits>(
  traitNames.flatMap((name, index) => words(classWords[name]).map((word) => [word, 1 << index] as const)),
)

export function traitsOf(attributes: Attributes): Traits {
  return (attributes.inPlace('class', traitsIn) ?? 0) | (attributes.inPlace('id', traitsIn) ?? 0)
}

function traitsIn(text: string, from: number, to: number): Traits {
  let found: Traits = 0
  let together: Traits = 0
  const end = Math.min(to, from + 512)
  for (let at = from; at < end; ) {
    const start = at
    while (at < end && isInWord(text, at, start)) at += 1
    const word = at > start ? (traitsOfWords.get(text, start, at) ?? 0) : 0
    const isLast = at === end || text.charCodeAt(at) <= space
    // A margin is what is called so in the end: `content-sidebar-wrap` has the content in it.
    together |= isLast ? word : word & ~marginal
    if (isLast) {
      found |= combined(together)
      together = 0
    }
    if (at === start || !isLetter(text.charCodeAt(at))) at += 1
  }
  return found
}

function combined(together: Traits): Traits {
  const isPublication = (together & dated) !== 0 && (together & ofArticle) !== 0
  const isPortrait = (together & portrait) !== 0
  const isOther = (together & dated) !== 0 && (together & event) !== 0
  const isMember = (together & program) !== 0 && (together & member) !== 0
  const isSiteName = (together & site) !== 0 && (together & title) !== 0
  return (
    (together |
      (isMember ? foreign : 0) |
      (isPublication ? published : 0) |
      (isSiteName ? logo : 0) |
      (isOther ? otherDate : 0)) &
    ~(isPortrait ? author : 0) &
    ~((together & beside) === 0 ? 0 : marginal) &
    ~((together & program) === 0 || isMember ? 0 : foreign) &
    namedTraits
  )
}

/** Returns whether the letter at this place continues the word: a capital after a small letter begins another. */
function isInWord(text: string, at: number, start: number): boolean {
  const code = text.charCodeAt(at)
  return isLetter(code) && (at === start || code >= smallA || text.charCodeAt(at - 1) < smallA)
}

function isLetter(code: number): boolean {
  return (code | 0x20) >= smallA && (code | 0x20) <= smallA + 25
}

const smallA = 0x61
const space = 0x20
const namedTraits = ~(ofArticle | portrait | site | title | event | program | member | beside)
