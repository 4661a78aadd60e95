import type { Attributes } from './attribute-list.ts'
import { foreign, logo, marginal, type Traits } from './class-traits.ts'

/** Templates and drawings: nothing inside is part of the page. */
export const inert = 1
/** Text inside is not read. */
export const silent = 2
/** Menus, asides, forms, comments of readers: not the text of the page itself. */
export const boilerplate = 4
/** Inside a microdata item that is a property of another item. */
export const nested = 8
/** Inside an article, or the main part of the page. */
export const article = 16
/** Inside an element that names an author. */
export const byline = 32
/** Inside the footer of an article: it may name the author, but is not text of the article. */
export const footnote = 64
/** Inside what its class calls a margin of the page, such as a sidebar: read if nothing else says as much. */
export const margin = 128
/** Inside a link. */
export const link = 256
/** Inside what its class calls a logo. */
export const inLogo = 512
/** Directly inside the body. Not inherited. */
const topLevel = 1_024

/** Returns the flags of an element: its own and those of the elements around it. */
export function elementFlags(name: string, attributes: Attributes, traits: Traits, around: number): number {
  const inherited = inheritedFlags(around)
  if (name === 'main') return (inherited & ~(boilerplate | nested | margin)) | article
  return (
    inherited |
    ownFlags(name, around) |
    (attributes.size === 0 ? 0 : attributeFlags(name, attributes, traits))
  )
}

export function inheritedFlags(around: number): number {
  return around & ~topLevel
}

function ownFlags(name: string, around: number): number {
  // Some programs wrap the whole page in a form.
  if (name === 'form' && (around & topLevel) !== 0) return 0
  if (name === 'footer' && (around & article) !== 0) return footnote
  return flagsByName.get(name) ?? 0
}

const flagsByName = new Map<string, number>([
  ...['template', 'svg', 'math', 'noframes', 'noembed', 'iframe', 'object'].map(
    (name) => [name, inert | silent] as const,
  ),
  ...['script', 'style', 'textarea', 'select', 'button'].map((name) => [name, silent] as const),
  ...['nav', 'aside', 'footer', 'form', 'dialog', 'figcaption'].map((name) => [name, boilerplate] as const),
  ['article', article],
  ['a', link],
  ['body', topLevel],
  ['noscript', silent | boilerplate],
])

/** Elements that say something by their name. All others only do by their attributes. */
export const tellingElements: ReadonlySet<string> = new Set([
  ...flagsByName.keys(),
  ...'main title h1 h2 p time video audio source html meta link img base'.split(' '),
])

function attributeFlags(name: string, attributes: Attributes, traits: Traits): number {
  const property = attributes.get('itemprop')
  const isPart =
    property !== undefined && attributes.has('itemscope') && !/^(?:mainEntity|blogPost)/.test(property)
  const isForeign =
    (traits & foreign) !== 0 || (name !== 'article' && attributes.matches('itemtype', commentType))
  return (
    (isForeign ? boilerplate | nested : 0) |
    (isPart ? nested : 0) |
    ((traits & marginal) !== 0 ? margin : 0) |
    ((traits & logo) !== 0 ? inLogo : 0) |
    (property === 'articleBody' ? article : 0)
  )
}

const commentType = /\/(?:Comment|UserComments|Answer)$/
