import { nonEmptyText } from '../clean-text.ts'
import { isObject, listOf, textOf, typesOf } from '../linked-data.ts'
import { itemprop, linkedData, meta, type Rule } from '../rule.ts'

function isArticle(types: readonly string[]) {
  return types.some((type) => /(Article|Posting|Report)$/.test(type))
}

export const titleRules: readonly Rule<string>[] = [
  meta('og:title'),
  meta('twitter:title'),
  { source: 'title', find: ({ metadata }) => nonEmptyText(metadata.title) },
  linkedData('headline', isArticle),
  meta('title'),
  meta('dc.title'),
  meta('dcterms.title'),
  meta('citation_title'),
  itemprop('headline'),
  itemprop('name'),
  linkedData('headline'),
  linkedData('name'),
  { source: 'h1', find: ({ metadata }) => nonEmptyText(metadata.heading) },
]

export const descriptionRules: readonly Rule<string>[] = [
  meta('og:description'),
  meta('twitter:description'),
  meta('description'),
  meta('dc.description'),
  meta('dcterms.description'),
  itemprop('description'),
  linkedData('description'),
  { source: 'p', find: ({ metadata }) => metadata.paragraph },
]

export const siteNameRules: readonly Rule<string>[] = [
  meta('og:site_name'),
  meta('application-name'),
  meta('apple-mobile-web-app-title'),
  {
    source: 'jsonld:WebSite.name',
    find: ({ linkedData: { nodes } }) =>
      firstName(nodes.filter((node) => typesOf(node).includes('WebSite')).map(nameOf)),
  },
  {
    source: 'jsonld:publisher.name',
    find: ({ linkedData: { primary, follow } }) =>
      firstName(listOf(primary?.['publisher']).map((publisher) => nameOf(follow(publisher)))),
  },
]

export const sectionRules: readonly Rule<string>[] = [
  meta('article:section'),
  linkedData('articleSection'),
  meta('section'),
  meta('parsely-section'),
  itemprop('articlesection'),
]

function firstName(names: readonly (string | undefined)[]): string | undefined {
  return names.find((name) => name !== undefined)
}

/** The name of a node. Some sites put their URL there. */
function nameOf(node: unknown): string | undefined {
  const name = textOf(isObject(node) && !('@value' in node) ? node['name'] : node)
  return name !== undefined && /^https?:\/\//i.test(name) ? undefined : name
}
