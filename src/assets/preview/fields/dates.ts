import { dayMs } from '../../../lib/clock.ts'
import { type DatedText, type DatePurpose, type DateStyle, dayInUrl, findDate } from '../find-date.ts'
import { type LinkedData, textOf, typesOf } from '../linked-data.ts'
import { headingOf, isList, linesBelowHeading, nearestToHeading } from '../nearest-to-heading.ts'
import { labelOf } from '../page-lines.ts'
import type { DateMark, Part } from '../page-metadata.ts'
import {
  contentsLike,
  type FieldRule,
  linkedData,
  metaContents,
  oncePerPage,
  type PreviewedPage,
  passing,
} from '../rule.ts'
import { letters } from '../site-name.ts'
import { languageRules } from './language.ts'

interface DateRuleOptions {
  readonly accepts?: (purpose: DatePurpose | undefined) => boolean
  /** The texts are read by people, and may be of anything that the page is about. */
  readonly isText?: boolean
}

type FindTexts = (page: PreviewedPage) => readonly (string | DatedText)[]

function dated(source: string, find: FindTexts, options: DateRuleOptions = {}): FieldRule<string> {
  return { source, find: (page) => firstDate(find(page), page, options) }
}

function fromMeta(key: string): FieldRule<string> {
  return dated(key.includes(':') ? key : `meta:${key}`, (page) => metaContents(page, key))
}

function fromItemprop(key: string): FieldRule<string> {
  return dated(`itemprop:${key}`, (page) => metaContents(page, key, 'itemprop'))
}

function fromLinkedData(key: string): FieldRule<string> {
  const { source, find } = linkedData(key)
  return dated(source, (page) => [find(page) ?? ''])
}

function fromMarks(
  kind: DateMark['kind'],
  source: string,
  {
    parts = ['article', 'body', 'margin'],
    ...options
  }: DateRuleOptions & { readonly parts?: readonly Part[] } = {},
): FieldRule<string> {
  return dated(
    source,
    (page) =>
      isList(page)
        ? []
        : nearestToHeading(
            page.metadata.dates.filter((mark) => mark.kind === kind && parts.includes(mark.part)),
            page,
          ).flatMap(({ values, label }) => values.map((text) => ({ text, label }))),
    { isText: true, ...options },
  )
}

/** The first time in the article of a page. On a page with several articles it would date one of them only. */
const articleTime = dated(
  'article:time',
  ({ metadata: { articles, dates } }) =>
    articles === 1 ? timesOf(dates.filter(({ part }) => part === 'article')) : [],
  { isText: true },
)

const onlyTime: FieldRule<string> = {
  source: 'time',
  find: (page) => {
    const days = timesOf(page.metadata.dates).map((value) => firstDate([value], page, { isText: true }))
    const found = days.filter((day) => day !== undefined)
    return new Set(found.map((day) => day.slice(0, 10))).size === 1 ? found[0] : undefined
  },
}

const listDaysMin = 3

/** The lines below the heading, each with its label; none of a list, whose lines have a day each. */
const labelledLines = oncePerPage((page): readonly DatedText[] => {
  const lines = linesBelowHeading(page)
  const style = dateStyle(page)
  const days = lines.flatMap((text) => findDate({ text }, style, () => true)?.slice(0, 10) ?? [])
  return new Set(days).size >= listDaysMin || areOfEntries(page)
    ? []
    : lines.map((text, index) => ({ text, label: labelOf(lines[index - 1] ?? '') }))
})

const changes: readonly FieldRule<string>[] = [
  fromMarks('updated', 'class:updated', { accepts: (purpose) => purpose !== 'other' }),
  fromMarks('time', 'time', { accepts: isOfChange }),
  fromMarks('published', 'class:published', { accepts: isOfChange }),
  fromMarks('dated', 'class:date', { accepts: isOfChange }),
  dated('heading', labelledLines, { isText: true, accepts: isOfChange }),
]

/** The last change dates a text that says no other day: many newspapers show only that. */
function hasText(_: string, { metadata: { paragraphs, leadIn, bylines } }: PreviewedPage): boolean {
  return (paragraphs.article ?? paragraphs.body ?? leadIn) !== undefined || bylines.length > 0
}

export const publishedRules: readonly FieldRule<string>[] = [
  ...['article:published_time', 'og:article:published_time'].map(fromMeta),
  ...['datePublished', 'uploadDate', 'dateCreated'].map(fromLinkedData).map(ofPageItself),
  ...'og:published_time citation_publication_date citation_date dc.date.issued dcterms.issued'
    .split(' ')
    .map(fromMeta),
  ...['dc.date', 'dcterms.date', 'pubdate', 'date'].map(fromMeta),
  // Programs of publishers have names of their own for the same.
  dated('meta:*published', (page) =>
    contentsLike(
      page,
      /(?:^|[.:_-])(?:pub|publish|publication|issue|post|create|release|display|sailthru|online)(?:d|ed)?[.:_-]?(?:date|time|on|at)?$|date[.:_-]?(?:publish|publi|creat|issue|post)/,
    ),
  ),
  fromItemprop('datepublished'),
  fromMarks('pubdate', 'time:pubdate'),
  articleTime,
  onlyTime,
  fromMarks('published', 'class:published'),
  {
    source: 'url',
    find: (page) => {
      const day = dayInUrl(page.url) ?? canonicalDay(page)
      return day === undefined || isToCome(day, page) ? undefined : day
    },
  },
  dated('heading', labelledLines, { isText: true }),
  fromMarks('dated', 'class:date', { parts: ['article', 'body'] }),
  dated('byline', (page) => nearestToHeading(page.metadata.bylines, page).map(({ text }) => text), {
    isText: true,
  }),
  ...changes.map((rule) => passing(rule, hasText)),
]

export const modifiedRules: readonly FieldRule<string>[] = [
  ...['article:modified_time', 'og:updated_time', 'og:article:modified_time'].map(fromMeta),
  fromLinkedData('dateModified'),
  ...['dcterms.modified', 'dc.date.modified', 'last-modified'].map(fromMeta),
  fromItemprop('datemodified'),
  ...changes,
  dated('heading', labelledLines, { isText: true, accepts: (purpose) => purpose === 'active' }),
]

function isOfChange(purpose: DatePurpose | undefined): boolean {
  return purpose === 'modified'
}

function isOfPublication(purpose: DatePurpose | undefined): boolean {
  return purpose === undefined || purpose === 'published'
}

function timesOf(marks: readonly DateMark[]): readonly DatedText[] {
  return marks.flatMap(({ kind, part, values: [text = ''], label }) =>
    kind === 'time' && part !== 'margin' ? [{ text, label }] : [],
  )
}

/** Entries of a page, such as its releases, have a day each, the page has none. */
function areOfEntries(page: PreviewedPage): boolean {
  const own = headingOf(page)
  const entries = page.metadata.headings.filter(({ level, at }) => level === 2 && at > (own?.at ?? at))
  const style = dateStyle(page)
  function dayOf(line: string) {
    return findDate({ text: line.slice(0, entryCharsMax) }, style, () => true)?.slice(0, 10) ?? []
  }
  if (own === undefined || own.below.split('\n').flatMap(dayOf).length > 0) return false
  const days = entries.flatMap(({ text, below }) => dayOf(`${text} ${below.trim().split('\n', 1)[0]}`))
  return new Set(days).size > 1
}

const entryCharsMax = 120

/** The date of a clip that is only embedded says nothing about the page. */
function ofPageItself(rule: FieldRule<string>): FieldRule<string> {
  return passing(rule, (_, page) => isAboutPage(page))
}

function canonicalDay({ metadata, resolve }: PreviewedPage): string | undefined {
  const url = resolve(metadata.links.find(({ rel }) => rel.includes('canonical'))?.href)
  return url === undefined ? undefined : dayInUrl(url)
}

const textsMax = 20

function firstDate(
  texts: readonly (string | DatedText)[],
  page: PreviewedPage,
  { accepts = isOfPublication, isText = false }: DateRuleOptions,
): string | undefined {
  const dated = texts.map((text) => (typeof text === 'string' ? { text } : text))
  if (dated.every(({ text }) => text === '')) return undefined
  const style = dateStyle(page)
  function isRight(date: string, purpose: DatePurpose | undefined) {
    return accepts(purpose) && !isToCome(date, page) && !(isText && eventDays(page).has(date.slice(0, 10)))
  }
  for (const text of dated.slice(0, textsMax)) {
    const date = findDate(text, style, isRight)
    if (date !== undefined) return date
  }
  return undefined
}

/** A clock may be wrong, and the day begins elsewhere first: a day of grace. */
function isToCome(date: string, { nowMs }: PreviewedPage): boolean {
  return date.slice(0, 10) > new Date(nowMs + dayMs).toISOString().slice(0, 10)
}

/** English pages write the month first unless their country or their host's is another than the United States. */
const dateStyle = oncePerPage((page): DateStyle => {
  const language = languageRules.map(({ find }) => find(page)).find((tag) => tag !== undefined)
  const tld = new URL(page.url).hostname.split('.').at(-1) ?? ''
  const isEnglish = language === undefined || /^en\b/i.test(language)
  const isElsewhere =
    (/^en-/i.test(language ?? '') && !/-US\b/i.test(language ?? '')) || (tld.length === 2 && tld !== 'us')
  return { language, isMonthFirst: isEnglish && !isElsewhere }
})

function isAboutPage(page: PreviewedPage): boolean {
  const { primary } = page.linkedData
  if (primary === undefined || !typesOf(primary).some((type) => clipTypes.has(type))) return true
  const [type] = metaContents(page, 'og:type', 'name', 1)
  const [card] = metaContents(page, 'twitter:card', 'name', 1)
  if (type !== undefined && !/^(?:video|music|website|object)\b/i.test(type)) return false
  const isVideo = /^(?:video|music)\b/i.test(type ?? '') || card === 'player'
  return isVideo || isNamed(page, primary) || page.url === textOf(primary['url'])
}

const clipTypes: ReadonlySet<string> = new Set(['VideoObject', 'AudioObject', 'Clip'])

function isNamed(page: PreviewedPage, primary: NonNullable<LinkedData['primary']>): boolean {
  const name = letters(textOf(primary['name'] ?? primary['headline']) ?? '')
  const titles = [page.metadata.title ?? '', ...page.metadata.headings.map(({ text }) => text)].map(letters)
  return name !== '' && titles.some((title) => title.includes(name))
}

/** Days that JSON-LD says are those of an event, a birth, an end and the like. */
const eventDays = oncePerPage(({ linkedData: { nodes } }): ReadonlySet<string> => {
  const days = nodes.flatMap((node) => eventKeys.map((key) => textOf(node[key])?.slice(0, 10)))
  return new Set(days.filter((day) => day !== undefined))
})

const eventKeys =
  'startDate endDate doorTime validThrough expires birthDate deathDate foundingDate dissolutionDate'.split(
    ' ',
  )
