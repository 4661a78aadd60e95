import { inside, type Traits, trait } from './element-flags.ts'
import type { Attributes } from './markup-reader.ts'
import { keep, type Meta, type PageMetadata, type Part } from './page-metadata.ts'

export interface Place {
  readonly around: number
  readonly traits: Traits
  /** True if the body of the page has not begun, and no scripts are needed to see the element. */
  readonly isInHead: boolean
}

export function readElement(
  name: string,
  attributes: Attributes,
  metadata: PageMetadata,
  place: Place,
): void {
  readers.get(name)?.(attributes, metadata, place)
  if (name === 'meta') return
  if ((place.traits & trait.source) !== 0 || name === 'pre') readLanguage(attributes, metadata)
  const property = attributes.get('itemprop')
  if (property !== undefined) readProperty(property, attributes, metadata)
  const itemType = attributes.get('itemtype')
  const isMain = property === undefined || /^mainEntity/.test(property)
  if (itemType !== undefined && isMain && (place.around & inside.nested) === 0)
    keep(metadata, metadata.itemTypes, itemType, itemTypesMax, itemType)
  const content = attributes.get('property') === undefined ? '' : (attributes.get('content') ?? '')
  if (content !== '') addProperties(metadata, attributes.get('property') ?? '', content, 'name')
}

export function addMeta(metadata: PageMetadata, key: string, content: string, kind: Meta['kind']): void {
  const name = key.trim().toLowerCase()
  if (name === '' || metadata.metas.length >= metasMax) return
  // A scholarly article cites hundreds of others: they must not keep out what comes after them.
  if (metadata.metas.length >= metasPerKeyMax && countOf(metadata.metas, name) >= metasPerKeyMax) return
  keep(metadata, metadata.metas, { key: name, content, kind }, metasMax, name, content)
}

function countOf(metas: readonly Meta[], name: string): number {
  return metas.reduce((count, { key }) => (key === name ? count + 1 : count), 0)
}

function readLanguage(attributes: Attributes, metadata: PageMetadata): void {
  const [, language, other] = codeClass.exec(attributes.get('class') ?? '') ?? []
  const name = attributes.get('data-language') ?? attributes.get('data-lang') ?? language ?? other
  if (name !== undefined) metadata.codeLanguage = { name: name.toLowerCase(), at: metadata.elements }
}

/** `language-ts`, `lang-ts`, `highlight-source-ts`, `highlight-python`, `sourceCode haskell`, `brush: js`. */
const codeClass =
  /(?:^|\s)(?:(?:language|lang|highlight-source|highlight)-([\w+#]{1,20})|(?:sourceCode|brush:)\s+([\w+#]{1,20}))/
const itemTypesMax = 20

export function partOf(around: number): Part {
  return (around & inside.margin) !== 0 ? 'margin' : (around & inside.article) !== 0 ? 'article' : 'body'
}

type Reader = (attributes: Attributes, metadata: PageMetadata, place: Place) => void

const readMeta: Reader = (attributes, metadata, { isInHead }) => {
  const content = attributes.get('content') ?? attributes.get('value') ?? ''
  if (content.trim() === '') return
  const [name, property] = [attributes.get('name'), attributes.get('property')]
  if (property !== undefined) addProperties(metadata, property, content, 'name')
  if (name !== undefined && name !== property) addMeta(metadata, name, content, 'name')
  const microdata = attributes.get('itemprop')
  if (microdata !== undefined) addProperties(metadata, microdata, content, 'itemprop')
  const instruction = attributes.get('http-equiv')
  if (instruction === undefined) return
  addMeta(metadata, instruction, content, 'http-equiv')
  if (instruction.trim().toLowerCase() !== 'refresh') return
  metadata.refresh ??= content
  if (isInHead) metadata.headRefresh ??= content
}

function addProperties(metadata: PageMetadata, properties: string, content: string, kind: Meta['kind']) {
  for (const property of words(properties)) addMeta(metadata, property, content, kind)
}

const readLink: Reader = (attributes, metadata) => addLink(attributes, metadata, attributes.get('rel'))

function addLink(attributes: Attributes, metadata: PageMetadata, relation: string | undefined): void {
  const href = attributes.get('href')
  const rel = words(relation)
  if (href === undefined || rel.length === 0) return
  const type = attributes.get('type')?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const [sizes, title, hreflang] = ['sizes', 'title', 'hreflang'].map((name) => attributes.get(name))
  const link = { rel, href, type, sizes, title, hreflang }
  keep(metadata, metadata.links, link, linksMax, href, relation, type, sizes, title, hreflang)
}

const readImage: Reader = (attributes, metadata, { around: ownAround, traits }) => {
  const given = attributes.get('src')?.trim() ?? ''
  const isPlaceholder = given === '' || given.startsWith('data:') || placeholderFile.test(given)
  const lazy = isPlaceholder ? lazySource(attributes) : undefined
  // A picture in `noscript` behind a placeholder is the one that scripts would put there.
  const isLarge = (ownAround & inside.article) !== 0 && Number(attributes.get('width')) >= widthOfLarge
  const alone = isLarge ? ownAround & ~inside.boilerplate : ownAround
  const around = (ownAround & inside.unseen) === 0 ? ownAround : (metadata.placeholderAround ?? alone)
  metadata.placeholderAround = isPlaceholder && lazy === undefined ? around : undefined
  const src = lazy ?? given
  if (src === '') return
  const alt = attributes.get('alt')
  const isLogo = (traits & trait.logo) !== 0 || (around & inside.inLogo) !== 0 || /logo/i.test(src)
  if (isLogo && alt !== undefined && alt.trim() !== '')
    keep(metadata, metadata.logoTexts, alt, logoTextsMax, alt)
  if (isLogo || (around & (inside.boilerplate | inside.footnote | inside.margin)) !== 0) return
  const [width, height] = [attributes.get('width'), attributes.get('height')]
  const image = { src, width, height, alt, part: partOf(around) }
  keep(metadata, metadata.images, image, imagesMax, src, width, height, alt)
}

const widthOfLarge = 300

/** A picture that stands in for another until that is in sight. */
const placeholderFile =
  /(?:^|[/_.-])(?:blank|lazy|loading|pixel|placeholder|spacer|spinner|transparent|1x1)[\w.-]*$/i

function lazySource(attributes: Attributes): string | undefined {
  const lazy = ['data-src', 'data-lazy-src', 'data-lazy', 'data-original', 'data-echo', 'data-hi-res-src']
    .map((name) => attributes.get(name))
    .find(Boolean)
  if (lazy !== undefined) return lazy
  const set = attributes.get('srcset') ?? attributes.get('data-srcset') ?? ''
  const variants = set.split(/,\s+/).map((variant) => {
    const [url = '', size = ''] = variant.trim().split(/\s+/)
    return { url, size: Number.parseFloat(size) || 1 }
  })
  return variants.sort((one, other) => other.size - one.size)[0]?.url || undefined
}

function readMedia(kind: 'video' | 'audio'): Reader {
  return (attributes, metadata) => {
    const [src, type, poster] = ['src', 'type', 'poster'].map((name) => attributes.get(name))
    keep(metadata, metadata.media, { kind, src, type, poster }, mediaMax, src, type, poster)
  }
}

/** The first `<source>` gives the file of the player around it. */
const readSource: Reader = (attributes, metadata) => {
  const player = metadata.media.at(-1)
  const src = attributes.get('src')
  if (player === undefined || player.src !== undefined || src === undefined) return
  metadata.media[metadata.media.length - 1] = { ...player, src, type: attributes.get('type') }
}

/** The author's accounts elsewhere, and DocBook's link to the chapter. */
const readAnchor: Reader = (attributes, metadata, place) => {
  if (attributes.get('accesskey') === 'u') addLink(attributes, metadata, 'up')
  if (/(?:^|\s)me(?:\s|$)/i.test(attributes.get('rel') ?? '')) readLink(attributes, metadata, place)
}

const readBase: Reader = (attributes, metadata) => {
  metadata.base ??= attributes.get('href')
}

const readArticle: Reader = (_, metadata) => {
  if (metadata.articles === 0) metadata.headingsBeforeArticles = metadata.headings.length
  metadata.articles += 1
}

const readDefinition: Reader = (_, metadata, { around }) => {
  if ((around & (inside.boilerplate | inside.margin | inside.listed | inside.defined)) !== 0) return
  metadata.definitions += 1
  if (metadata.definitions > 1) metadata.definition = undefined
}

function readProperty(property: string, attributes: Attributes, metadata: PageMetadata): void {
  const content = attributes.get('content')
  const value = content ?? attributes.get('datetime') ?? attributes.get('src') ?? attributes.get('href')
  if (value === undefined || value.trim() === '') return
  for (const name of words(property))
    if (content !== undefined || !textProperties.has(name)) addMeta(metadata, name, value, 'itemprop')
}

const textProperties: ReadonlySet<string> = new Set('name headline description author publisher'.split(' '))

const readers = new Map<string, Reader>([
  ['meta', readMeta],
  ['link', readLink],
  ['a', readAnchor],
  ['img', readImage],
  ['video', readMedia('video')],
  ['audio', readMedia('audio')],
  ['source', readSource],
  ['article', readArticle],
  ['base', readBase],
  ['dd', readDefinition],
  [
    'html',
    (attributes, metadata) => {
      metadata.lang ??= attributes.get('lang') || attributes.get('xml:lang') || undefined
      metadata.dir ??= attributes.get('dir')
    },
  ],
])

function words(value = ''): readonly string[] {
  if (value === '') return noWords
  const text = value.toLowerCase()
  return /\s/.test(text) ? text.split(/\s+/, 32).filter((word) => word !== '') : [text]
}

const noWords: readonly string[] = []

const metasMax = 1_000
const metasPerKeyMax = 50
const linksMax = 400
const imagesMax = 100
const mediaMax = 20
export const logoTextsMax = 20
