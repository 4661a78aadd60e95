import { isJsonObject } from '../../../lib/json.ts'
import { normalizeDate } from '../find-date.ts'
import { asList, type LinkedData } from '../linked-data.ts'
import { valueCharsMax } from '../markup-reader.ts'
import { isList, linesBelowHeading, nearestToHeading } from '../nearest-to-heading.ts'
import type { Byline } from '../page-metadata.ts'
import { isPlaceholder, nonEmptyText, withoutTags } from '../page-text.ts'
import {
  contentsLike,
  type FieldRule,
  listRule,
  metaContents,
  oncePerPage,
  type PreviewedPage,
  passing,
} from '../rule.ts'
import { signaturesInTitle } from '../site-name.ts'

type AuthorRule = FieldRule<readonly string[]>

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
    if (page.metadata.bylines.length === 0 || isList(page) || areOfEntries(page)) return []
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

function isCard({ text, names }: Byline): boolean {
  return [text, ...names].some((part) => introduction.test(part))
}

const introduction = /^\W*(?:more )?about\s|\bmore about\s/i

/** A list of articles without elements for them has a byline below each of its headings, and none below its own. */
const areOfEntries = oncePerPage(({ metadata: { bylines, headings } }): boolean => {
  const signed = bylines.filter(({ part }) => part !== 'margin')
  const above = new Set(signed.map(({ at }) => headings.findLast((heading) => heading.at < at)))
  return above.size >= 3 && [...above].every((heading) => heading?.level === 2)
})

/** The rules stand in the list twice, and are asked once. */
function once({ source, find }: AuthorRule): AuthorRule {
  return { source, find: oncePerPage(find) }
}

const declarations: readonly AuthorRule[] = [
  fromMeta('article:author'),
  fromMeta('author'),
  declared('jsonld:author', ({ linkedData }) => linkedNames(linkedData)),
  ...['dc.creator', 'dcterms.creator', 'citation_author'].map(fromMeta),
  declared('itemprop:author', (page) => metaContents(page, 'author', 'itemprop')),
].map(once)

const bylines: readonly AuthorRule[] = [
  fromByline('itemprop', 'itemprop:author'),
  fromByline('rel', 'rel:author'),
  fromByline('class', 'byline', (line) => !isCard(line)),
  fromByline('href', 'link:author'),
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

function linkedNames({ primary, follow }: LinkedData): readonly string[] {
  const people = ['author', 'creator', 'contributor'].flatMap((key) => asList(primary?.[key]))
  return people.flatMap((value) => {
    const author = follow(value)
    const found = isJsonObject(author) ? asList(author['name']) : [author]
    return found.flatMap((name) => (typeof name === 'string' ? [name.slice(0, valueCharsMax)] : []))
  })
}

function signed(line: string): readonly string[] {
  return signature.test(line) ? distinct(personNames(line, false)) : []
}

const signature =
  /^[^\p{L}\p{N}]*(?:(?:written|posted|story|text|article) )?(?:by|von|par|por|di|door|av|af|автор|文)[:：\s]|(?:作者|记者|記者|撰文)[:：]/iu

/** Names that are links, or microdata, are sure of where they end; the text around them has those that are none. */
function namesIn({ kind, names, text }: Byline): readonly string[] {
  const isLoose = kind === 'itemprop' || kind === 'rel'
  const sure = names.flatMap((name) => personNames(name, isLoose))
  const whole = personNames(text, isLoose && sure.length === 0)
  const within = whole.map((name) => sure.find((part) => name.includes(part)) ?? name)
  const hasSure = within.some((name) => sure.includes(name))
  return sure.length === 0 || hasSure || signed(text).length > 0 ? within : sure
}

const authorsMax = 50

function distinct(names: readonly string[]): readonly string[] {
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()].slice(0, authorsMax)
}

/** @param isLoose whether one word may be a name, as where a page says that it is the author */
function personNames(raw: string, isLoose: boolean): readonly string[] {
  if (isPlaceholder(raw)) return []
  // Some of the patterns take the square of the length.
  const name = nonEmptyText(raw.slice(0, 300)) ?? ''
  const isWhole = plainName.test(name) ? isFullName(name) : isLoose && accountName.test(name)
  if (isWhole && isName(name)) return [name]
  let text = nonEmptyText(withoutTags(name)) ?? ''
  for (const edit of edits) text = text.replace(edit[0], edit[1]).trim()
  return splitNames(text)
    .map((name) => name.replace(/^[^\p{L}\p{N}]+|(?<![\s,;:|–—-])[\s,;:|–—-]+$/gu, ''))
    .filter((name) => isName(name) && (isLoose || isFullName(name)))
}

const plainName =
  /^(?!(?:By|Von|Par|Por|Di|Door|Av|Af|About|Follow|More|Contact|Share) )[A-Z][a-z]+ (?:[A-Z]\. )?[A-Z][a-z]+$/

/** Names of accounts end in digits: `Fishrock123`. */
const accountName = /^\p{L}[\p{L}_-]{2,}\d{1,6}$/u

const roles =
  'editors?|writers?|reporters?|correspondents?|contributors?|columnists?|producers?|journalists?|bloggers?|authors?|redakteur(?:in)?|korrespondent(?:in)?|journaliste|rédacteur|periodista|giornalista|staff'
const roleQualifiers =
  'senior|chief|staff|special|associate|assistant|managing|executive|contributing|deputy|political|science|sports?|business|technology|tech|news|world|health|arts|travel|washington|national|international|foreign|security|economics|environment|education|freelance|guest|community|and|&'
const companies =
  'news|press|sports?|times|post|today|journal|magazine|media|service|agency|bureau|tribune|herald|reuters|ap|afp|dpa|cnn|bbc|staff|special|radio|tv|university|ph\\.?d|m\\.?d|inc'

const edits: readonly (readonly [pattern: RegExp, by: string])[] = [
  [/^[^\s@()]+@[^\s@()]+\s?\(([^()]+)\)$/, '$1'],
  [/(?<![^\s@])[^\s@]+@[^\s@.]+\.\S+/g, ' '],
  [/(?:^|\s|\()[@#]\w+\)?/g, ' '],
  [/\bhttps?:\S+|\bwww\.\S+/gi, ' '],
  [
    /^.*?\b(?:view all (?:posts|articles) by|(?:more|all|other|posts|articles|stories) (?:posts |articles |stories )?(?:by|from)|follow|about|contact)\s+/i,
    '',
  ],
  [
    /(?<=.{13})(?<!\s)[;,.]?\s*\b(?:(?:additional|further) )?(?:editing|reporting|writing)(?: and \w+)? by\b.*/isu,
    '',
  ],
  [
    /^\W*(?:(?:article|story|text|words?|written|posted|reported|published|submitted|updated|created|analysis|opinion|review|blog|reporting|writing) )?by(?:\s*:\s*|\s+)/iu,
    '',
  ],
  [/^.{0,60}\d.{0,30}?\s(?:by|von|par|por|di|door|av|af)\s+(?=\p{Lu})/u, ''],
  [/^.*?(?:作者|记者|記者|撰文|編集|文|글)\s*[:：/]\s*(?=\S)/u, ''],
  [/\s(?:le|am|den|op|em|el|il)\s(?:\p{Ll}+,? (?:den )?)?\d.*/u, ''],
  [/^(?:von|par|por|di|door|av|af|från|ved|od|автор)(?=[\s:]+\p{Lu})[\s:]+/iu, ''],
  [
    /^(?:authors?|autor(?:en|in|es|a)?|auteurs?|autore|redactie|tekst|text[eo]?|testo|автор|текст|posted|kirjoittanut|yazar|szerző|tác giả|作者|記者|记者|撰文|編集|文|글)\s*[:：/]\s*/iu,
    '',
  ],
  [/(?:記者|记者|기자)$/u, ''],
  [/(?:[|•·●▪—»›/]|\s[-–]\s|[([]).*/su, ''],
  // A syllable of a name may be the short form of a weekday.
  [
    /[\s,](?:(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|(?:mon|tue|wed|thu|fri|sat)\b(?=.{0,8}\d))[\s,].*/i,
    '',
  ],
  [/\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d.*/i, ''],
  [/(?<!\s)\s*(?<!\S)\S*\d.*/s, ''],
  [
    /\b(?:filed under|publication date|posted|published|updated|last modified|follow|share|e-?mail|archive|special (?:to|for)|view (?:all|profile|bio)|read more|am|on)\b.*/i,
    '',
  ],
  [/\sin\s[\p{L} ]{2,30}?(?=\s(?:and|&)\s\p{Lu})/u, ''],
  [/\s(?:for|in|at|from|via|für|pour|para)\s.*$/, ''],
  [new RegExp(`,[^,]*\\b(?:${roles}|${companies})\\b.*$`, 'i'), ''],
  [new RegExp(`(?<=\\S\\s+\\S+)\\s+(?:(?:${roleQualifiers})\\s+)*(?:${roles})\\b.*$`, 'i'), ''],
]

/** Names are apart where each of the parts could be a name of its own: `Ortega y Gasset` is one. */
function splitNames(text: string): readonly string[] {
  for (const separator of separators) {
    const parts = text.split(separator).map((part) => part.trim())
    if (parts.length > 1 && parts.every((part) => part === '' || isFullName(part)))
      return parts.flatMap((part) => (part === '' ? [] : splitNames(part)))
  }
  return text.split(/[;、]/u)
}

const separators: readonly RegExp[] = [
  /,(?:\s(?:and|und|et|y|e)\s)?/,
  /\s(?:and|und|et|y|e|och|og|en|и|i|&|\+)\s/,
]

function isName(name: string): boolean {
  const isPossible = name.length > 1 && name.length <= 80 && /\p{L}/u.test(name) && !/[?!{}<>=\\¶]/.test(name)
  if (/^[\w-]+(?:\.[\w-]+)+$/.test(name)) return false
  return (
    isPossible && name.split(' ').length <= 8 && !placeholder.test(name) && normalizeDate(name) === undefined
  )
}

/** Two words with capitals and no more without, or any in a script that has none. */
function isFullName(name: string): boolean {
  if (/[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(name))
    return name.length <= 20
  if (section.test(name)) return false
  const words = name.split(/\s+/).filter((word) => /^[^\p{Ll}\p{N}]*\p{L}/u.test(word))
  const capitals = words.filter((word) => !/^\p{Ll}/u.test(word))
  return capitals.length >= 2 && capitals.length * 2 >= words.length
}

/** Parts of a site, which stand beside names. */
const section =
  /^(?:(?:local|world|top|latest|breaking|more|national|us|uk|tech|science|sports?|business|all|our|the) )+(?:news|sports?|opinion|politics|business|videos?|photos?|blogs?|stories|articles|newsletters?)$/i

/** Texts that programs insert if nobody entered a name, and labels of links beside names. */
const placeholder =
  /^(?:(?:wp|web|site|sys|super)?[-_ ]?(?:admin(?:istrator|istrador|istrateur)?|user|master)\d*|adm|root|postmaster|moderator|editor|null|undefined|nan|none|n\/?a|unknown|anonymous|anonym|default|test\d*|demo\d*|guest\d*|(?:the )?authors?|autor|auteur|by|share|follow|follow (?:me|us|on).*|e-?mail|twitter|facebook|more|read more|view .*|see .*|about .*|contact.*|archives?|bio|biography|profile|website|home|comments?|reply|log ?in|sign ?in|print|rss|subscribe|for authors|advertisement|(?:in|on|from|to|at) .*)$/i
