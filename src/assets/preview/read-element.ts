import type { Attributes } from './attribute-list.ts'
import { article, boilerplate } from './element-flags.ts'
import type { Meta, PageMetadata } from './page-metadata.ts'

/** Adds what an element says to the metadata. @param around flags of the elements around it */
export function readElement(
  name: string,
  attributes: Attributes,
  metadata: PageMetadata,
  around: number,
): void {
  readers.get(name)?.(attributes, metadata, around)
  const property = attributes.get('itemprop')
  if (property !== undefined && name !== 'meta') readProperty(property, attributes, metadata)
}

/** @param around flags of the elements that this one stands in */
type Reader = (attributes: Attributes, metadata: PageMetadata, around: number) => void

function addMeta(metadata: PageMetadata, key: string, content: string, kind: Meta['kind']): void {
  const name = key.trim().toLowerCase()
  if (name !== '' && metadata.metas.length < metasMax && hasRoom(metadata, name, content))
    metadata.metas.push({ key: name, content, kind })
}

function hasRoom(metadata: PageMetadata, ...texts: readonly (string | undefined)[]): boolean {
  const chars = texts.reduce((sum, text) => sum + (text?.length ?? 0), 0)
  if (chars > metadata.charsLeft) return false
  metadata.charsLeft -= chars
  return true
}

const readMeta: Reader = (attributes, metadata) => {
  const content = attributes.get('content') ?? attributes.get('value') ?? ''
  if (content.trim() === '') return
  const names = new Set([...words(attributes.get('property')), attributes.get('name')?.trim() ?? ''])
  for (const name of names) addMeta(metadata, name, content, 'name')
  for (const property of words(attributes.get('itemprop'))) addMeta(metadata, property, content, 'itemprop')
  const instruction = attributes.get('http-equiv')
  if (instruction === undefined) return
  addMeta(metadata, instruction, content, 'http-equiv')
  if (instruction.trim().toLowerCase() === 'refresh') metadata.refresh ??= content
}

const readLink: Reader = (attributes, metadata) => {
  const href = attributes.get('href')
  const rel = words(attributes.get('rel'))
  if (href === undefined || rel.length === 0 || metadata.links.length >= linksMax) return
  const [type = '', sizes, title, hreflang] = ['type', 'sizes', 'title', 'hreflang'].map(
    attributes.get,
    attributes,
  )
  if (!hasRoom(metadata, href, attributes.get('rel'), type, sizes, title, hreflang)) return
  metadata.links.push({
    rel,
    href,
    type: type.split(';')[0]?.trim().toLowerCase() ?? '',
    sizes,
    title,
    hreflang,
  })
}

const readAnchor: Reader = (attributes, metadata) => {
  const href = attributes.get('href')
  if (href === undefined || metadata.anchors.length >= anchorsMax) return
  if (!words(attributes.get('rel')).includes('nofollow') && hasRoom(metadata, href))
    metadata.anchors.push(href)
}

const readImage: Reader = (attributes, metadata) => {
  const src = attributes.get('src')?.trim() ?? ''
  const isPlaceholder = src === '' || src.startsWith('data:')
  const chosen = isPlaceholder ? (lazySource(attributes) ?? src) : src
  if (chosen === '' || metadata.images.length >= imagesMax) return
  const [width, height, alt] = ['width', 'height', 'alt'].map(attributes.get, attributes)
  if (!hasRoom(metadata, chosen, width, height, alt)) return
  metadata.images.push({ src: chosen, width, height, alt })
}

function lazySource(attributes: Attributes): string | undefined {
  const lazy = ['data-src', 'data-lazy-src', 'data-original']
    .map((name) => attributes.get(name))
    .find(Boolean)
  if (lazy !== undefined) return lazy
  const variants = (attributes.get('srcset') ?? attributes.get('data-srcset') ?? '')
    .split(/,\s+/)
    .map((variant) => {
      const [url = '', size = ''] = variant.trim().split(/\s+/)
      return { url, size: Number.parseFloat(size) || 1 }
    })
  return variants.sort((one, other) => other.size - one.size)[0]?.url || undefined
}

function readMedia(kind: 'video' | 'audio'): Reader {
  return (attributes, metadata) => {
    const [src, type, poster] = ['src', 'type', 'poster'].map(attributes.get, attributes)
    if (metadata.media.length >= mediaMax || !hasRoom(metadata, src, type, poster)) return
    metadata.media.push({ kind, src, type, poster })
  }
}

/** The first `<source>` gives the file of the player around it. */
const readSource: Reader = (attributes, metadata) => {
  const player = metadata.media.at(-1)
  const src = attributes.get('src')
  if (player === undefined || player.src !== undefined || src === undefined || !hasRoom(metadata, src)) return
  metadata.media[metadata.media.length - 1] = { ...player, src, type: attributes.get('type') }
}

const readTime: Reader = (attributes, metadata, around) => {
  const value = attributes.get('datetime')
  if (value === undefined || metadata.times.length >= timesMax || !hasRoom(metadata, value)) return
  // Comments of readers carry the same markup as the article.
  if ((around & boilerplate) !== 0) return
  if (attributes.has('pubdate')) metadata.times.push({ place: 'pubdate', value })
  else if ((around & article) !== 0) metadata.times.push({ place: 'article', value })
}

const readBase: Reader = (attributes, metadata) => {
  metadata.base ??= attributes.get('href')
}

const readArticle: Reader = (_, metadata) => {
  metadata.articles += 1
}

const readRoot: Reader = (attributes, metadata) => {
  metadata.lang ??= attributes.get('lang') || attributes.get('xml:lang') || undefined
  metadata.dir ??= attributes.get('dir')
}

function readProperty(property: string, attributes: Attributes, metadata: PageMetadata): void {
  const content = attributes.get('content')
  const value = content ?? attributes.get('datetime') ?? attributes.get('src') ?? attributes.get('href')
  if (value === undefined || value.trim() === '') return
  for (const name of words(property))
    if (content !== undefined || !textProperties.has(name)) addMeta(metadata, name, value, 'itemprop')
}

const textProperties: ReadonlySet<string> = new Set(['name', 'headline', 'description'])

const readers = new Map<string, Reader>([
  ['meta', readMeta],
  ['link', readLink],
  ['a', readAnchor],
  ['img', readImage],
  ['video', readMedia('video')],
  ['audio', readMedia('audio')],
  ['source', readSource],
  ['time', readTime],
  ['article', readArticle],
  ['base', readBase],
  ['html', readRoot],
])

function words(value = ''): readonly string[] {
  return value === ''
    ? noWords
    : value
        .toLowerCase()
        .split(/\s+/, wordsMax)
        .filter((word) => word !== '')
}

const noWords: readonly string[] = []

/** Words of one attribute. */
const wordsMax = 32
const metasMax = 400
const linksMax = 400
const anchorsMax = 1_000
const imagesMax = 100
const mediaMax = 20
const timesMax = 50
