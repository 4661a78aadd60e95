import { nonEmptyText } from '../clean-text.ts'
import { valueCharsMax } from '../element-reader.ts'
import { isObject, type LinkedData, listOf } from '../linked-data.ts'
import { normalizeDate } from '../normalize-date.ts'
import type { PageMetadata } from '../page-metadata.ts'
import { listRule, metaContents, type Page, type Rule } from '../rule.ts'

function fromMeta(key: string, kind: 'name' | 'itemprop' = 'name'): Rule<readonly string[]> {
  return listRule(kind === 'itemprop' ? `itemprop:${key}` : key.includes(':') ? key : `meta:${key}`, (page) =>
    names(metaContents(page, key, kind)),
  )
}

function fromByline(kind: 'itemprop' | 'rel' | 'class'): Rule<readonly string[]> {
  return listRule(kind === 'class' ? 'byline' : `${kind}:author`, ({ metadata }) =>
    names(
      metadata.bylines.filter((byline) => byline.kind === kind && isNameLike(byline)).map(({ text }) => text),
    ),
  )
}

/** All authors of the first rule that finds any. */
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
  listRule('article:tag', (page) => labels(tagKeys.flatMap((key) => metaContents(page, key)))),
  listRule('jsonld:keywords', ({ linkedData: { primary } }) =>
    labels(
      listOf(primary?.['keywords']).flatMap((value) =>
        typeof value === 'string' ? value.split(',', labelsMax) : [],
      ),
    ),
  ),
  listRule('meta:news_keywords', (page) => splitMeta(page, 'news_keywords')),
  listRule('meta:keywords', (page) => splitMeta(page, 'keywords')),
]

const tagKeys = ['article:tag', 'og:article:tag', 'og:video:tag', 'video:tag', 'book:tag']

function splitMeta(page: Page, key: string): readonly string[] {
  return labels(metaContents(page, key).flatMap((content) => content.split(/[,;]/, labelsMax)))
}

function labels(raw: readonly string[]): readonly string[] {
  return [
    ...new Set(
      raw
        .slice(0, labelsMax)
        .map(nonEmptyText)
        .filter((text) => text !== undefined),
    ),
  ].slice(0, tagsMax)
}

function linkedNames({ primary, follow }: LinkedData): readonly string[] {
  return [...listOf(primary?.['author']), ...listOf(primary?.['creator'])].flatMap((value) => {
    const author = follow(value)
    const name = isObject(author) ? listOf(author['name'])[0] : author
    return typeof name === 'string' ? [name.slice(0, valueCharsMax)] : []
  })
}

function isNameLike({ kind, text }: PageMetadata['bylines'][number]): boolean {
  return kind !== 'class' || !/\d/.test(text)
}

function names(raw: readonly string[]): readonly string[] {
  return [...new Set(raw.map(nameOf).filter((name) => name !== undefined))].slice(0, authorsMax)
}

function nameOf(raw: string): string | undefined {
  const name = nonEmptyText(raw)?.replace(/^(?:written\s+)?by:?\s+/i, '') ?? ''
  const isName = name.length > 1 && name.length <= nameCharsMax && /\p{L}/u.test(name)
  return isName && !/^(?:https?:)?\/\/|^www\.|^mailto:/i.test(name) && normalizeDate(name) === undefined
    ? name
    : undefined
}

const authorsMax = 50
/** How many labels are read to find `tagsMax` different ones. */
const labelsMax = 500
const tagsMax = 50
const nameCharsMax = 120
