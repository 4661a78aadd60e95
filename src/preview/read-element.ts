import type { Attributes } from './attributes.ts'
import { ARTICLE, BOILERPLATE } from './element-flags.ts'
import type { Meta, PageFacts } from './facts.ts'

/** Writes down what an element says by its attributes. */
export const readElement = (name: string, attributes: Attributes, facts: PageFacts, around: number): void => {
  READERS.get(name)?.(attributes, facts, around)
  const property = attributes.get('itemprop')
  if (property !== undefined && name !== 'meta') readProperty(property, attributes, facts)
}

/** @param around flags of the elements that this one stands in */
type Reader = (attributes: Attributes, facts: PageFacts, around: number) => void

const addMeta = (facts: PageFacts, key: string, content: string, kind: Meta['kind']): void => {
  const name = key.trim().toLowerCase()
  if (name !== '' && facts.metas.length < METAS_MAX && hasRoom(facts, name, content))
    facts.metas.push({ key: name, content, kind })
}

/** Takes the room for these texts, if the page still has as much. */
const hasRoom = (facts: PageFacts, ...texts: readonly (string | undefined)[]): boolean => {
  const chars = texts.reduce((sum, text) => sum + (text?.length ?? 0), 0)
  if (chars > facts.charsLeft) return false
  facts.charsLeft -= chars
  return true
}

const readMeta: Reader = (attributes, facts) => {
  const content = attributes.get('content') ?? attributes.get('value') ?? ''
  if (content.trim() === '') return
  const names = new Set([...words(attributes.get('property')), attributes.get('name')?.trim() ?? ''])
  for (const name of names) addMeta(facts, name, content, 'name')
  for (const property of words(attributes.get('itemprop'))) addMeta(facts, property, content, 'itemprop')
  const instruction = attributes.get('http-equiv')
  if (instruction === undefined) return
  addMeta(facts, instruction, content, 'http-equiv')
  if (instruction.trim().toLowerCase() === 'refresh') facts.refresh ??= content
}

const readLink: Reader = (attributes, facts) => {
  const href = attributes.get('href')
  const rel = words(attributes.get('rel'))
  if (href === undefined || rel.length === 0 || facts.links.length >= LINKS_MAX) return
  const [type = '', sizes, title, hreflang] = ['type', 'sizes', 'title', 'hreflang'].map(
    attributes.get,
    attributes,
  )
  if (!hasRoom(facts, href, attributes.get('rel'), type, sizes, title, hreflang)) return
  facts.links.push({
    rel,
    href,
    type: type.split(';')[0]?.trim().toLowerCase() ?? '',
    sizes: sizes ?? null,
    title: title ?? null,
    hreflang: hreflang ?? null,
  })
}

const readAnchor: Reader = (attributes, facts) => {
  const href = attributes.get('href')
  if (href === undefined || facts.anchors.length >= ANCHORS_MAX) return
  if (!words(attributes.get('rel')).includes('nofollow') && hasRoom(facts, href)) facts.anchors.push(href)
}

const readImage: Reader = (attributes, facts) => {
  const src = attributes.get('src')?.trim() ?? ''
  const isPlaceholder = src === '' || src.startsWith('data:')
  const chosen = isPlaceholder ? (lazySource(attributes) ?? src) : src
  if (chosen === '' || facts.images.length >= IMAGES_MAX) return
  const [width, height, alt] = ['width', 'height', 'alt'].map(attributes.get, attributes)
  if (!hasRoom(facts, chosen, width, height, alt)) return
  facts.images.push({ src: chosen, width: width ?? null, height: height ?? null, alt: alt ?? null })
}

/** Where scripts find a picture that is loaded late, or the largest of its variants. */
const lazySource = (attributes: Attributes): string | undefined => {
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

const readMedia =
  (kind: 'video' | 'audio'): Reader =>
  (attributes, facts) => {
    const [src, type, poster] = ['src', 'type', 'poster'].map(attributes.get, attributes)
    if (facts.media.length >= MEDIA_MAX || !hasRoom(facts, src, type, poster)) return
    facts.media.push({ kind, src: src ?? null, type: type ?? null, poster: poster ?? null })
  }

/** `<source>` gives the file of the player above it; the first one counts. */
const readSource: Reader = (attributes, facts) => {
  const player = facts.media.at(-1)
  const src = attributes.get('src')
  if (player === undefined || player.src !== null || src === undefined || !hasRoom(facts, src)) return
  facts.media[facts.media.length - 1] = { ...player, src, type: attributes.get('type') ?? null }
}

const readTime: Reader = (attributes, facts, around) => {
  const value = attributes.get('datetime')
  if (value === undefined || facts.times.length >= TIMES_MAX || !hasRoom(facts, value)) return
  // A reader's comment is dated by the same marks as the article.
  if ((around & BOILERPLATE) !== 0) return
  if (attributes.has('pubdate')) facts.times.push({ place: 'pubdate', value })
  else if ((around & ARTICLE) !== 0) facts.times.push({ place: 'article', value })
}

const readBase: Reader = (attributes, facts) => {
  facts.base ??= attributes.get('href') ?? null
}

const readArticle: Reader = (_, facts) => {
  facts.articles += 1
}

const readRoot: Reader = (attributes, facts) => {
  facts.lang ??= attributes.get('lang') || attributes.get('xml:lang') || null
  facts.dir ??= attributes.get('dir') ?? null
}

/** Microdata on an element that is not a meta: a `content`, a date or a link. No link is what a page is called. */
const readProperty = (property: string, attributes: Attributes, facts: PageFacts): void => {
  const content = attributes.get('content')
  const value = content ?? attributes.get('datetime') ?? attributes.get('src') ?? attributes.get('href')
  if (value === undefined || value.trim() === '') return
  for (const name of words(property))
    if (content !== undefined || !TEXTS.has(name)) addMeta(facts, name, value, 'itemprop')
}

const TEXTS: ReadonlySet<string> = new Set(['name', 'headline', 'description'])

const READERS = new Map<string, Reader>([
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

const words = (value = ''): readonly string[] =>
  value === ''
    ? NONE
    : value
        .toLowerCase()
        .split(/\s+/, WORDS_MAX)
        .filter((word) => word !== '')

const NONE: readonly string[] = []

/** Of one attribute. */
const WORDS_MAX = 32
const METAS_MAX = 400
const LINKS_MAX = 400
const ANCHORS_MAX = 1_000
const IMAGES_MAX = 100
const MEDIA_MAX = 20
const TIMES_MAX = 50
