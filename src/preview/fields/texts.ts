import { itemprop, linkedData, meta, type Rule } from '../rule.ts'
import { textOrNull } from '../text.ts'

const isArticle = (types: readonly string[]) => types.some((type) => /(Article|Posting|Report)$/.test(type))

export const titleRules: readonly Rule<string>[] = [
  meta('og:title'),
  meta('twitter:title'),
  { source: 'title', find: ({ facts }) => textOrNull(facts.title) },
  linkedData('headline', isArticle),
  meta('title'),
  meta('dc.title'),
  meta('dcterms.title'),
  meta('citation_title'),
  itemprop('headline'),
  linkedData('headline'),
  linkedData('name'),
  { source: 'h1', find: ({ facts }) => textOrNull(facts.heading) },
]

export const descriptionRules: readonly Rule<string>[] = [
  meta('og:description'),
  meta('twitter:description'),
  meta('description'),
  meta('dc.description'),
  meta('dcterms.description'),
  itemprop('description'),
  linkedData('description'),
  { source: 'p', find: ({ facts }) => facts.paragraph },
]

export const siteNameRules: readonly Rule<string>[] = [
  meta('og:site_name'),
  meta('application-name'),
  meta('apple-mobile-web-app-title'),
  {
    source: 'jsonld:WebSite.name',
    find: ({ linkedData: { nodes } }) => nameOf(nodes.find((node) => node['@type'] === 'WebSite')),
  },
  {
    source: 'jsonld:publisher.name',
    find: ({ linkedData: { primary, follow } }) => nameOf(follow(primary?.['publisher'])),
  },
]

export const sectionRules: readonly Rule<string>[] = [
  meta('article:section'),
  linkedData('articleSection'),
  meta('section'),
  meta('parsely-section'),
  itemprop('articlesection'),
]

const nameOf = (node: unknown): string | null =>
  typeof node === 'object' && node !== null && 'name' in node && typeof node.name === 'string'
    ? textOrNull(node.name)
    : null
