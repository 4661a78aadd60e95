import { foreign, logo, marginal, type Traits } from './class-traits.ts'
import type { Attributes } from './markup-reader.ts'

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
/** Inside what no reader sees without scripts, or as text: links are not followed, and characters not counted. */
export const unseen = 1_024
/** Directly inside the body. Not inherited. */
const topLevel = 2_048

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
    (name) => [name, inert | silent | unseen] as const,
  ),
  ...['script', 'style', 'textarea', 'select'].map((name) => [name, silent | unseen] as const),
  ['button', silent],
  ['title', unseen],
  ...['nav', 'aside', 'footer', 'form', 'dialog', 'figcaption'].map((name) => [name, boilerplate] as const),
  ['article', article],
  ['a', link],
  ['body', topLevel],
  ['noscript', silent | boilerplate | unseen],
])

function attributeFlags(name: string, attributes: Attributes, traits: Traits): number {
  const property = attributes.get('itemprop')
  const isPart =
    property !== undefined && attributes.has('itemscope') && !/^(?:mainEntity|blogPost)/.test(property)
  const isForeign =
    (traits & foreign) !== 0 || (name !== 'article' && commentType.test(attributes.get('itemtype') ?? ''))
  return (
    (isForeign ? boilerplate | nested : 0) |
    (isPart ? nested : 0) |
    ((traits & marginal) !== 0 ? margin : 0) |
    ((traits & logo) !== 0 ? inLogo : 0) |
    (property === 'articleBody' ? article : 0)
  )
}

const commentType = /\/(?:Comment|UserComments|Answer)$/
