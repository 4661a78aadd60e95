import { textOrNull } from '../clean-text.ts'
import { isObject, listOf, textOf, typesOf } from '../linked-data.ts'
import { itemprop, linkedData, meta, type Rule } from '../rule.ts'

function isArticle(types: readonly string[]) {
  return types.some((type) => /(Article|Posting|Report)$/.test(type))
}

export const titleRules: readonly Rule<string>[] = [
  meta('og:title'),
  meta('twitter:title'),
  { source: 'title', find: ({ metadata: facts }) => textOrNull(facts.title) },
  linkedData('headline', isArticle),
  meta('title'),
  meta('dc.title'),
  meta('dcterms.title'),
  meta('citation_title'),
  itemprop('headline'),
  itemprop('name'),
  linkedData('headline'),
  linkedData('name'),
  { source: 'h1', find: ({ metadata: facts }) => textOrNull(facts.heading) },
]

export const descriptionRules: readonly Rule<string>[] = [
  meta('og:description'),
  meta('twitter:description'),
  meta('description'),
  meta('dc.description'),
  meta('dcterms.description'),
  itemprop('description'),
  linkedData('description'),
  { source: 'p', find: ({ metadata: facts }) => facts.paragraph },
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

function firstName(names: readonly (string | null)[]): string | null {
  return names.find((name) => name !== null) ?? null
}

function nameOf(thing: unknown): string | null {
  const name = textOf(isObject(thing) && !('@value' in thing) ? thing['name'] : thing)
  return name !== null && /^https?:\/\//i.test(name) ? null : name
}
