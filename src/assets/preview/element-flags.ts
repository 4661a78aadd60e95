import type { Attributes } from './attribute-list.ts'

/** Nothing in here is part of the page: templates and pictures. */
export const inert = 1
/** Text in here is not read. */
export const silent = 2
/** Not the page's own words: menus, asides, forms, comments of readers. */
export const boilerplate = 4
/** Inside a microdata item that is a property of another one. */
export const nested = 8
/** Inside an article. */
export const article = 16

export function elementFlags(name: string, attributes: Attributes, around: number): number {
  return around | (byName.get(name) ?? 0) | (attributes.size === 0 ? 0 : byAttributes(attributes))
}

const byName = new Map<string, number>([
  ...['template', 'svg', 'math', 'noframes', 'noembed', 'iframe', 'object'].map(
    (name) => [name, inert | silent] as const,
  ),
  ...['script', 'style', 'textarea', 'select', 'button'].map((name) => [name, silent] as const),
  ...['nav', 'aside', 'footer', 'form', 'dialog'].map((name) => [name, boilerplate] as const),
  ['article', article],
  ['noscript', silent | boilerplate],
])

function byAttributes(attributes: Attributes): number {
  const property = attributes.get('itemprop')
  const isNested = property !== undefined && attributes.has('itemscope') && !property.startsWith('mainEntity')
  const isOthers =
    attributes.matches('class', othersWords) ||
    attributes.matches('id', othersWords) ||
    attributes.matches('itemtype', commentType)
  return (isOthers ? boilerplate | nested : 0) | (isNested ? nested : 0)
}

const othersWords = /(?:^|[\s_-])(?:comments?|cookies?|consent|disqus_thread)(?:$|[\s_-])/i
const commentType = /\/(?:Comment|UserComments|Answer)$/
