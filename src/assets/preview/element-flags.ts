import type { Attributes } from './attribute-list.ts'

/** Templates and drawings: nothing inside is part of the page. */
export const inert = 1
/** Text inside is not read. */
export const silent = 2
/** Menus, asides, forms, comments of readers: not the text of the page itself. */
export const boilerplate = 4
/** Inside a microdata item that is a property of another item. */
export const nested = 8
/** Inside an article. */
export const article = 16

/** Returns the flags of an element: its own and those of the elements around it. */
export function elementFlags(name: string, attributes: Attributes, around: number): number {
  return around | (flagsByName.get(name) ?? 0) | (attributes.size === 0 ? 0 : flagsByAttributes(attributes))
}

const flagsByName = new Map<string, number>([
  ...['template', 'svg', 'math', 'noframes', 'noembed', 'iframe', 'object'].map(
    (name) => [name, inert | silent] as const,
  ),
  ...['script', 'style', 'textarea', 'select', 'button'].map((name) => [name, silent] as const),
  ...['nav', 'aside', 'footer', 'form', 'dialog'].map((name) => [name, boilerplate] as const),
  ['article', article],
  ['noscript', silent | boilerplate],
])

function flagsByAttributes(attributes: Attributes): number {
  const property = attributes.get('itemprop')
  const isNested = property !== undefined && attributes.has('itemscope') && !property.startsWith('mainEntity')
  const isForeign =
    attributes.matches('class', foreignWords) ||
    attributes.matches('id', foreignWords) ||
    attributes.matches('itemtype', commentType)
  return (isForeign ? boilerplate | nested : 0) | (isNested ? nested : 0)
}

const foreignWords = /(?:^|[\s_-])(?:comments?|cookies?|consent|disqus_thread)(?:$|[\s_-])/i
const commentType = /\/(?:Comment|UserComments|Answer)$/
