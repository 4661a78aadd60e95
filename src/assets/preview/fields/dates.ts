import { type DateStyle, dayInUrl, findDate } from '../find-date.ts'
import { isList, linesBelowHeading, nearestToHeading } from '../nearest-to-heading.ts'
import type { DateMark, Part } from '../page-metadata.ts'
import {
  contentsLike,
  type FieldRule,
  linkedData,
  metaContents,
  oncePerPage,
  type PreviewedPage,
} from '../rule.ts'
import { languageRules } from './language.ts'

function dated(source: string, find: (page: PreviewedPage) => readonly string[]): FieldRule<string> {
  return { source, find: (page) => firstDate(find(page), page) }
}

function fromMeta(key: string): FieldRule<string> {
  return dated(key.includes(':') ? key : `meta:${key}`, (page) => metaContents(page, key))
}

/** Programs of publishers have names of their own for the same. */
function fromMetasLike(source: string, pattern: RegExp): FieldRule<string> {
  return dated(source, (page) => contentsLike(page, pattern))
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
  parts: readonly Part[] = ['article', 'body', 'margin'],
): FieldRule<string> {
  return dated(source, (page) =>
    isList(page)
      ? []
      : nearestToHeading(
          page.metadata.dates.filter((mark) => mark.kind === kind && parts.includes(mark.part)),
          page,
        ).flatMap(({ values }) => values),
  )
}

/** The first time in the article of a page. On a page with several articles it would date one of them only. */
const articleTime = dated('article:time', ({ metadata: { articles, dates } }) =>
  articles === 1 ? timesOf(dates.filter(({ part }) => part === 'article')) : [],
)

/** Any time, if all are on one day. */
const onlyTime: FieldRule<string> = {
  source: 'time',
  find: (page) => {
    const days = timesOf(page.metadata.dates).map((value) => firstDate([value], page))
    const found = days.filter((day) => day !== undefined)
    return new Set(found.map((day) => day.slice(0, 10))).size === 1 ? found[0] : undefined
  },
}

export const publishedRules: readonly FieldRule<string>[] = [
  ...['article:published_time', 'og:article:published_time'].map(fromMeta),
  ...['datePublished', 'uploadDate', 'dateCreated'].map(fromLinkedData),
  ...'article:published og:published_time citation_publication_date citation_date dc.date.issued dcterms.issued'
    .split(' ')
    .map(fromMeta),
  ...['dc.date', 'dcterms.date', 'pubdate', 'date'].map(fromMeta),
  fromMetasLike(
    'meta:*published',
    /(?:^|[.:_-])(?:pub|publish|publication|issue|post|create|release|display|sailthru|online)(?:d|ed)?[.:_-]?(?:date|time|on|at)?$|date[.:_-]?(?:publish|publi|creat|issue|post)/,
  ),
  ...['datepublished', 'uploaddate', 'datecreated'].map(fromItemprop),
  ...['video:release_date', 'book:release_date'].map(fromMeta),
  fromMarks('pubdate', 'time:pubdate'),
  articleTime,
  onlyTime,
  fromMarks('published', 'class:published'),
  {
    source: 'url',
    find: ({ url, metadata, resolve }) => dayInUrl(url) ?? canonicalDay({ metadata, resolve }),
  },
  dated('heading', (page) => linesBelowHeading(page).filter((line) => !changed.test(line))),
  fromMarks('dated', 'class:date', ['article', 'body']),
  dated('byline', (page) => nearestToHeading(page.metadata.bylines, page).map(({ text }) => text)),
  fromMarks('updated', 'class:updated'),
  dated('heading', linesBelowHeading),
]

export const modifiedRules: readonly FieldRule<string>[] = [
  ...['article:modified_time', 'og:updated_time', 'og:article:modified_time'].map(fromMeta),
  fromLinkedData('dateModified'),
  ...['article:modified', 'dcterms.modified', 'dc.date.modified', 'last-modified', 'revised'].map(fromMeta),
  fromItemprop('datemodified'),
  fromMarks('updated', 'class:updated'),
]

/** How a line with the date of the last change begins. */
const changed =
  /^\W*(?:last |zuletzt |dernière )?(?:upd|modif|chang|edit|revis|aktualis|geändert|mis à jour|mise à jour|actualiz|aggiorn|обновл|изменен|更新|수정)/iu

function timesOf(marks: readonly DateMark[]): readonly string[] {
  return marks.flatMap(({ kind, part, values }) =>
    kind === 'time' && part !== 'margin' ? values.slice(0, 1) : [],
  )
}

function canonicalDay({
  metadata,
  resolve,
}: Pick<PreviewedPage, 'metadata' | 'resolve'>): string | undefined {
  const url = resolve(metadata.links.find(({ rel }) => rel.includes('canonical'))?.href)
  return url === undefined ? undefined : dayInUrl(url)
}

function firstDate(texts: readonly string[], page: PreviewedPage): string | undefined {
  if (texts.every((text) => text === '')) return undefined
  const style = dateStyle(page)
  for (const text of texts.slice(0, textsMax)) {
    const date = findDate(text, style)
    if (date !== undefined) return date
  }
  return undefined
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

const textsMax = 20
