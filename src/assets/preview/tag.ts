import { tellingElements } from './element-flags.ts'
import { SubstringMap } from './substring-map.ts'

/** How elements of one name are parsed. */
export interface Tag {
  readonly name: string
  readonly isVoid: boolean
  readonly isForeign: boolean
  /** Nothing in it is markup but its end tag. */
  readonly isRaw: boolean
  /** Character references in its text are decoded. */
  readonly hasReferences: boolean
  readonly closesParagraph: boolean
  /** Stands within a line of text. */
  readonly isInline: boolean
  /** Says something by its name. All others only do by their attributes. */
  readonly isTelling: boolean
  /** The whole page may be in it, whatever its class says: `cookies-not-set` on the body is no cookie notice. */
  readonly isWholePage: boolean
  /** The bits of the attributes that are read from it. */
  readonly attributes: number
  /** Number of the name, below `tagsMax`. Names beyond have `tagsMax`. */
  readonly index: number
}

export function tagOf(name: string, index: number): Tag {
  return {
    name,
    index,
    isVoid: voidElements.has(name),
    isForeign: name === 'svg' || name === 'math',
    isRaw: rawTextElements.has(name) || name === 'title' || name === 'textarea',
    hasReferences: !rawTextElements.has(name),
    closesParagraph: paragraphClosers.has(name),
    isInline: inlineElements.has(name),
    isTelling: tellingElements.has(name),
    isWholePage: wholePageElements.has(name),
    attributes: anyElement | (attributesOfElement.get(name) ?? 0),
  }
}

const voidElements: ReadonlySet<string> = new Set(
  'area base basefont bgsound br col embed frame hr img input link meta param source track wbr'.split(' '),
)

const rawTextElements: ReadonlySet<string> = new Set(
  'iframe noembed noframes plaintext script style xmp'.split(' '),
)

/** The end tag of a paragraph may be missing before these. */
const paragraphClosers: ReadonlySet<string> = new Set(
  'address article aside blockquote dialog div dl fieldset footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul'.split(
    ' ',
  ),
)

const inlineElements: ReadonlySet<string> = new Set(
  'a abbr address b bdi cite em font i img label nobr small span strong sub sup time u'.split(' '),
)

const wholePageElements: ReadonlySet<string> = new Set(['html', 'body', 'main', 'article'])

export interface AttributeName {
  readonly name: string
  readonly bit: number
  /** The elements that it is read from; all if undefined. */
  readonly elements: ReadonlySet<string> | undefined
}

/** The attributes that are read, of all elements or of some; all others are skipped. */
const readAttributes: readonly AttributeName[] = [
  ['class id content datetime itemprop itemscope itemtype property', undefined],
  ['alt data-lazy-src data-original data-src data-srcset height srcset width', 'img'],
  ['name http-equiv value', 'meta'],
  ['hreflang sizes', 'link'],
  ['href', 'a link base area'],
  ['rel', 'a link'],
  ['src', 'img video audio source'],
  ['type', 'link script source video audio'],
  ['title', 'link abbr time span p div'],
  ['poster', 'video'],
  ['pubdate', 'time'],
  ['dir lang xml:lang', 'html'],
]
  .flatMap(([names = '', elements]) =>
    names
      .split(' ')
      .map((name) => ({ name, elements: elements === undefined ? elements : new Set(elements.split(' ')) })),
  )
  .map((attribute, index) => ({ ...attribute, bit: 1 << index }))

/** The attributes that are read from every element. */
const anyElement = readAttributes.reduce(
  (bits, { bit, elements }) => (elements === undefined ? bits | bit : bits),
  0,
)
const attributesOfElement = new Map<string, number>()
for (const { bit, elements = [] } of readAttributes)
  for (const name of elements) attributesOfElement.set(name, (attributesOfElement.get(name) ?? 0) | bit)

export function attributeBits(...names: readonly string[]): number {
  return readAttributes.reduce((bits, { bit, name }) => (names.includes(name) ? bits | bit : bits), 0)
}

/** Attributes that say nothing alone: an element with no others is part of the one around it. */
export const quietAttributes = attributeBits('class', 'id', 'title', 'content')

export const attributeNames = new SubstringMap<AttributeName>(64)
for (const attribute of readAttributes) attributeNames.add(attribute.name, attribute)

/** The elements of HTML that pages are made of. */
export const knownTags = new SubstringMap<Tag>(256)
const otherElements =
  'abbr acronym b bdi bdo big caption center cite code data datalist dd del details dfn dt em figcaption figure font g head header hgroup i ins kbd label legend li map mark menu meter nobr ol optgroup option output param path picture progress q rect rp rt ruby s samp slot small span strike strong sub summary sup tbody td template tfoot th thead tr tt u use var'
const knownNames = new Set([
  ...voidElements,
  ...rawTextElements,
  ...paragraphClosers,
  ...inlineElements,
  ...tellingElements,
  ...otherElements.split(' '),
])
for (const name of knownNames) knownTags.add(name, tagOf(name, knownTags.size))
/** Different names in one page. */
export const tagsMax = 320
