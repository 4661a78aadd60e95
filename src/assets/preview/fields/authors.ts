import { isJsonObject } from '../../../lib/json.ts'
import { asList, type LinkedData } from '../linked-data.ts'
import { valueCharsMax } from '../markup-reader.ts'
import { isList, linesBelowHeading, nearestToHeading } from '../nearest-to-heading.ts'
import type { Byline } from '../page-metadata.ts'
import {
  contentsLike,
  type FieldRule,
  listRule,
  metaContents,
  oncePerPage,
  type PreviewedPage,
  passing,
} from '../rule.ts'
import { signaturesInTitle } from '../site-identity.ts'
import { personNames } from './person-names.ts'

type AuthorRule = FieldRule<readonly string[]>

/** Names that the page says are those of the authors. */
function declared(source: string, find: (page: PreviewedPage) => readonly string[]): AuthorRule {
  return listRule(source, (page) => {
    const texts = find(page)
    return texts.length === 0 ? texts : distinct(texts.flatMap((text) => personNames(text, true)))
  })
}

function fromMeta(key: string): AuthorRule {
  return declared(key.includes(':') ? key : `meta:${key}`, (page) => metaContents(page, key))
}

function fromByline(
  kind: Byline['kind'],
  source: string,
  accepts: (byline: Byline) => boolean = () => true,
): AuthorRule {
  return listRule(source, (page) => {
    if (page.metadata.bylines.length === 0 || isList(page)) return []
    for (const byline of nearestToHeading(
      page.metadata.bylines.filter((other) => other.kind === kind && accepts(other)),
      page,
    )) {
      const found = namesIn(byline)
      if (found.length > 0) return distinct(found)
    }
    return []
  })
}

/** Whether a text introduces the author instead of signing the article. */
function isCard({ text, names }: Byline): boolean {
  return [text, ...names].some((part) => introduction.test(part))
}

const introduction = /^\W*(?:more )?about\s|\bmore about\s/i

/** The rules stand in the list twice, and are asked once. */
function once({ source, find }: AuthorRule): AuthorRule {
  return { source, find: oncePerPage(find) }
}

const declarations: readonly AuthorRule[] = [
  fromMeta('article:author'),
  fromMeta('author'),
  declared('jsonld:author', ({ linkedData }) => linkedNames(linkedData)),
  ...['dc.creator', 'dcterms.creator', 'citation_author'].map(fromMeta),
  declared('twitter:label', (page) => labelled(page)),
  declared('itemprop:author', (page) => metaContents(page, 'author', 'itemprop')),
].map(once)

const bylines: readonly AuthorRule[] = [
  fromByline('itemprop', 'itemprop:author'),
  fromByline('rel', 'rel:author'),
  fromByline('class', 'byline', (line) => !isCard(line)),
  fromByline('href', 'link:author'),
  /** Programs of publishers have names of their own for the same. */
  listRule('meta:*author', (page) =>
    contentsLike(page, /(?:^|[.:_-])(?:authors?|author[.:_-]?names?|byl(?:ine)?|creator)$/).flatMap((text) =>
      personNames(text, false),
    ),
  ),
  listRule('heading', (page) => {
    const lines = new Set(linesBelowHeading(page).filter((line) => signature.test(line)))
    // Each of several is of something else that the page lists.
    return lines.size === 1 ? [...lines].flatMap(signed) : []
  }),
  fromByline('credit', 'credit'),
  listRule('title', ({ metadata: { title }, contents }) =>
    [title, ...metaContents({ contents }, 'og:title')]
      .flatMap(signaturesInTitle)
      .flatMap((part) => personNames(part, false)),
  ),
  fromByline('class', 'byline', isCard),
].map(once)

/** All authors of the first rule that finds any. The site, its publisher and its host are the author only where nobody else is. */
export const authorRules: readonly AuthorRule[] = [
  ...[...declarations, ...bylines].map(people),
  ...declarations,
  ...bylines.map((rule) => passing(rule, (names) => names.every((name) => personal.test(name)))),
]

/** The site of a person has the name of its author. */
const personal =
  /^(?!.*\b(?:[Tt]he|[Nn]ews|[Pp]ost|[Tt]imes|[Tt]oday|[Jj]ournal|[Bb]log|[Mm]agazine|[Oo]nline|[Mm]edia|[Gg]roup|[Tt]eam|[Cc]ompany|[Cc]lub|[Ss]chool|[Uu]niversity|[Ii]nstitute|[Ff]oundation|[Pp]ress|TV|[Rr]adio)\b)\p{Lu}\p{Ll}+ (?:\p{Lu}\. )?\p{Lu}\p{Ll}+$/u

function people({ source, find }: AuthorRule): AuthorRule {
  return listRule(
    source,
    (page) => find(page)?.filter((name) => !page.isSiteName(name.split(',', 1)[0] ?? name)) ?? [],
  )
}

/** A card of Twitter has two labels with a text each. */
function labelled(page: PreviewedPage): readonly string[] {
  return [1, 2].flatMap((number) => {
    const label = metaContents(page, `twitter:label${number}`)[0] ?? ''
    return writtenBy.test(label) ? metaContents(page, `twitter:data${number}`, 'name', 1) : []
  })
}

const writtenBy =
  /^(?:written by|by|author|verfasst von|geschrieben von|von|écrit par|rédigé par|escrito por|autor|scritto da|geschreven door|написано автором|автор|作者|执笔者|投稿者|글쓴이)\b|^[作执投글]/i

function linkedNames({ primary, follow }: LinkedData): readonly string[] {
  const people = ['author', 'creator', 'contributor'].flatMap((key) => asList(primary?.[key]))
  return people.flatMap((value) => {
    const author = follow(value)
    const found = isJsonObject(author) ? asList(author['name']) : [author]
    return found.flatMap((name) => (typeof name === 'string' ? [name.slice(0, valueCharsMax)] : []))
  })
}

/** Who signs a line: `By Ann Lee`. */
function signed(line: string): readonly string[] {
  return signature.test(line) ? distinct(personNames(line, false)) : []
}

const signature =
  /^\W*(?:(?:written|posted|story|text|article) )?(?:by|von|par|por|di|door|av|af|автор|文)[:：\s]|(?:作者|记者|記者|撰文)[:：]/iu

/** Names that are links, or microdata, are sure of where they end; the text around them has those that are none. */
function namesIn({ kind, names, text }: Byline): readonly string[] {
  const isLoose = kind === 'itemprop' || kind === 'rel'
  const sure = names.flatMap((name) => personNames(name, isLoose))
  const whole = personNames(text, isLoose && sure.length === 0)
  const within = whole.map((name) => sure.find((part) => name.includes(part)) ?? name)
  const hasSure = within.some((name) => sure.includes(name))
  return sure.length === 0 || hasSure || signed(text).length > 0 ? within : sure
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()].slice(0, authorsMax)
}

const authorsMax = 50
