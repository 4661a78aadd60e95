import { normalizeDate } from '../dates.ts'
import type { PageFacts } from '../facts.ts'
import { isObject, type LinkedData, listOf } from '../jsonld.ts'
import { VALUE_CHARS_MAX } from '../markup.ts'
import { listRule, metaContents, type Page, type Rule } from '../rule.ts'
import { textOrNull } from '../text.ts'

const fromMeta = (key: string, kind: 'name' | 'itemprop' = 'name'): Rule<readonly string[]> =>
  listRule(kind === 'itemprop' ? `itemprop:${key}` : key.includes(':') ? key : `meta:${key}`, (page) =>
    names(metaContents(page, key, kind)),
  )

const fromByline = (kind: 'itemprop' | 'rel' | 'class'): Rule<readonly string[]> =>
  listRule(kind === 'class' ? 'byline' : `${kind}:author`, ({ facts }) =>
    names(
      facts.bylines.filter((byline) => byline.kind === kind && isNameLike(byline)).map(({ text }) => text),
    ),
  )

/** All authors are kept, as the first place that names any gives them. */
export const authorRules: readonly Rule<readonly string[]>[] = [
  fromMeta('article:author'),
  fromMeta('author'),
  listRule('jsonld:author', ({ linkedData }) => names(linkedNames(linkedData))),
  fromMeta('dc.creator'),
  fromMeta('dcterms.creator'),
  fromMeta('citation_author'),
  fromMeta('parsely-author'),
  fromMeta('sailthru.author'),
  fromMeta('book:author'),
  fromMeta('author', 'itemprop'),
  fromByline('itemprop'),
  fromByline('rel'),
  fromByline('class'),
]

export const tagRules: readonly Rule<readonly string[]>[] = [
  listRule('article:tag', (page) => labels(TAG_KEYS.flatMap((key) => metaContents(page, key)))),
  listRule('jsonld:keywords', ({ linkedData: { primary } }) =>
    labels(
      listOf(primary?.['keywords']).flatMap((value) =>
        typeof value === 'string' ? value.split(',', LABELS_MAX) : [],
      ),
    ),
  ),
  listRule('meta:news_keywords', (page) => splitMeta(page, 'news_keywords')),
  listRule('meta:keywords', (page) => splitMeta(page, 'keywords')),
]

const TAG_KEYS = ['article:tag', 'og:article:tag', 'og:video:tag', 'video:tag', 'book:tag']

const splitMeta = (page: Page, key: string): readonly string[] =>
  labels(metaContents(page, key).flatMap((content) => content.split(/[,;]/, LABELS_MAX)))

const labels = (raw: readonly string[]): readonly string[] =>
  [
    ...new Set(
      raw
        .slice(0, LABELS_MAX)
        .map(textOrNull)
        .filter((text) => text !== null),
    ),
  ].slice(0, TAGS_MAX)

const linkedNames = ({ primary, follow }: LinkedData): readonly string[] =>
  [...listOf(primary?.['author']), ...listOf(primary?.['creator'])].flatMap((value) => {
    const author = follow(value)
    const name = isObject(author) ? listOf(author['name'])[0] : author
    return typeof name === 'string' ? [name.slice(0, VALUE_CHARS_MAX)] : []
  })

/** A line that is only styled as a byline may as well be a date or a count. */
const isNameLike = ({ kind, text }: PageFacts['bylines'][number]): boolean =>
  kind !== 'class' || !/\d/.test(text)

const names = (raw: readonly string[]): readonly string[] =>
  [...new Set(raw.map(nameOf).filter((name) => name !== null))].slice(0, AUTHORS_MAX)

/** A person's or a newsroom's name; profile addresses, handles' links and dates are none. */
const nameOf = (raw: string): string | null => {
  const name = textOrNull(raw)?.replace(/^(?:written\s+)?by:?\s+/i, '') ?? ''
  const isName = name.length > 1 && name.length <= NAME_CHARS_MAX && /\p{L}/u.test(name)
  return isName && !/^(?:https?:)?\/\/|^www\.|^mailto:/i.test(name) && normalizeDate(name) === null
    ? name
    : null
}

const AUTHORS_MAX = 50
/** Looked at, to find `TAGS_MAX` different ones. */
const LABELS_MAX = 500
const TAGS_MAX = 50
const NAME_CHARS_MAX = 120
