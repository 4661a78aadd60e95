import { normalizeDate } from '../normalize-date.ts'
import { itemprop, linkedData, meta, type Rule } from '../rule.ts'

function dated(rule: Rule<string>): Rule<string> {
  return {
    source: rule.source,
    find: (page) => normalizeDate(rule.find(page)),
  }
}

const pubdate: Rule<string> = {
  source: 'time:pubdate',
  find: ({ metadata }) => metadata.times.find(({ place }) => place === 'pubdate')?.value,
}

/** The first time in the article of a page. On a page with several articles it would date one of them only. */
const articleTime: Rule<string> = {
  source: 'article:time',
  find: ({ metadata }) =>
    metadata.articles === 1 ? metadata.times.find(({ place }) => place === 'article')?.value : undefined,
}

export const publishedRules: readonly Rule<string>[] = [
  meta('article:published_time'),
  meta('og:article:published_time'),
  linkedData('datePublished'),
  linkedData('uploadDate'),
  linkedData('dateCreated'),
  meta('article:published'),
  meta('og:published_time'),
  meta('parsely-pub-date'),
  meta('sailthru.date'),
  meta('citation_publication_date'),
  meta('dc.date.issued'),
  meta('dcterms.issued'),
  meta('dc.date'),
  meta('dcterms.date'),
  meta('publish-date'),
  meta('publishdate'),
  meta('pubdate'),
  meta('date'),
  itemprop('datepublished'),
  itemprop('uploaddate'),
  meta('video:release_date'),
  meta('book:release_date'),
  pubdate,
  articleTime,
].map(dated)

export const modifiedRules: readonly Rule<string>[] = [
  meta('article:modified_time'),
  meta('og:updated_time'),
  meta('og:article:modified_time'),
  linkedData('dateModified'),
  meta('article:modified'),
  meta('dcterms.modified'),
  meta('last-modified'),
  meta('revised'),
  itemprop('datemodified'),
].map(dated)
