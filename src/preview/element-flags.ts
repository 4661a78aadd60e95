import type { Attributes } from './attributes.ts'

/** Nothing in here is part of the page: templates and pictures. */
export const INERT = 1
/** Text in here is not read. */
export const SILENT = 2
/** Not the page's own words: menus, asides, forms, comments of readers. */
export const BOILERPLATE = 4
/** Inside a microdata item that is a property of another one. */
export const NESTED = 8
/** Inside an article. */
export const ARTICLE = 16

/** The flags of an element: those of the element around it, and its own. */
export const elementFlags = (name: string, attributes: Attributes, around: number): number =>
  around | (BY_NAME.get(name) ?? 0) | (attributes.size === 0 ? 0 : byAttributes(attributes))

const BY_NAME = new Map<string, number>([
  ...['template', 'svg', 'math', 'noframes', 'noembed', 'iframe', 'object'].map(
    (name) => [name, INERT | SILENT] as const,
  ),
  ...['script', 'style', 'textarea', 'select', 'button'].map((name) => [name, SILENT] as const),
  ...['nav', 'aside', 'footer', 'form', 'dialog'].map((name) => [name, BOILERPLATE] as const),
  ['article', ARTICLE],
  ['noscript', SILENT | BOILERPLATE],
])

const byAttributes = (attributes: Attributes): number => {
  const property = attributes.get('itemprop')
  const isNested = property !== undefined && attributes.has('itemscope') && !property.startsWith('mainEntity')
  const isOthers =
    attributes.matches('class', OTHERS_WORDS) ||
    attributes.matches('id', OTHERS_WORDS) ||
    attributes.matches('itemtype', COMMENT_TYPE)
  return (isOthers ? BOILERPLATE | NESTED : 0) | (isNested ? NESTED : 0)
}

const OTHERS_WORDS = /(?:^|[\s_-])(?:comments?|cookies?|consent|disqus_thread)(?:$|[\s_-])/i
const COMMENT_TYPE = /\/(?:Comment|UserComments|Answer)$/
