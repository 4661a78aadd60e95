import { words } from '../../lib/words.ts'

/**
 * A map that looks up a part of a text without creating a string for it, regardless of the case of ASCII letters. A page
 * has thousands of names of tags, attributes and classes, and most are in no map.
 */
export class NameMap<Value> {
  readonly #buckets: (Entry<Value>[] | undefined)[] = Array.from({ length: letters * lengths })

  constructor(entries: Iterable<readonly [name: string, value: Value]>) {
    for (const [name, value] of entries) {
      const index = indexOf(name, 0, name.length)
      const bucket = this.#buckets[index]
      if (bucket === undefined) this.#buckets[index] = [{ name, value }]
      else if (bucket.every((entry) => entry.name !== name)) bucket.push({ name, value })
    }
  }

  get(text: string, start: number, end: number): Value | undefined {
    const bucket = this.#buckets[indexOf(text, start, end)]
    if (bucket !== undefined)
      for (const entry of bucket) if (isName(entry.name, text, start, end)) return entry.value
    return undefined
  }
}

interface Entry<Value> {
  readonly name: string
  readonly value: Value
}

const letters = 32
const lengths = 24

function indexOf(text: string, start: number, end: number): number {
  return (text.charCodeAt(start) & (letters - 1)) * lengths + Math.min(end - start, lengths - 1)
}

function isName(name: string, text: string, start: number, end: number): boolean {
  if (name.length !== end - start) return false
  for (let at = 0; at < name.length; at += 1) {
    const code = text.charCodeAt(start + at)
    const lower = code >= capitalA && code <= capitalA + 25 ? code + 32 : code
    if (name.charCodeAt(at) !== lower) return false
  }
  return true
}

const capitalA = 0x41

export interface Tag {
  readonly name: string
  readonly isVoid: boolean
  readonly isForeign: boolean
  /** Character references in its text are decoded. */
  readonly hasReferences: boolean
  readonly closesParagraph: boolean
  readonly isInline: boolean
  /** Says something by its name. All others only do by their attributes. */
  readonly isTelling: boolean
  /** The whole page may be in it, whatever its class says: `cookies-not-set` on the body is no cookie notice. */
  readonly isWholePage: boolean
  readonly index: number
  readonly attributes: NameMap<string>
}

const ofAnyElement = words('class id content datetime itemprop itemscope itemtype property')

const attributesOf: Readonly<Record<string, string>> = {
  a: 'href rel',
  abbr: 'title',
  area: 'href',
  audio: 'src type',
  base: 'href',
  div: 'title',
  html: 'dir lang xml:lang',
  img: 'alt data-echo data-hi-res-src data-lazy data-lazy-src data-original data-src data-srcset height src srcset width',
  input: 'type',
  link: 'href hreflang rel sizes title type',
  meta: 'charset data-mintmark http-equiv name value',
  p: 'title',
  script: 'type',
  source: 'src type',
  span: 'title',
  time: 'pubdate title',
  video: 'poster src type',
}

const voidElements = namesOf(
  'area base basefont bgsound br col embed frame hr img input link meta param source track wbr',
)
/** Nothing in them is markup but their own end tag, and references stay. */
const rawElements = namesOf('iframe noembed noframes plaintext script style xmp')
/** The end tag of a paragraph may be missing before these. */
const paragraphClosers = namesOf(
  'address article aside blockquote dialog div dl fieldset footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul',
)
const inlineElements = namesOf(
  'a abbr address b bdi cite code em font i img kbd label mark nobr q samp small span strong sub sup time tt u var',
)
const tellingElements = namesOf(
  `template svg math noframes noembed iframe object script style textarea select button nav aside footer form dialog figcaption
  article a body noscript main pre title h1 h2 p time video audio source html meta link img base`,
)
const wholePageElements = namesOf('html body main article')

function namesOf(list: string): ReadonlySet<string> {
  return new Set(words(list))
}

function namesToThemselves(names: readonly string[]): NameMap<string> {
  return new NameMap(names.map((name) => [name, name]))
}

const plainAttributes = namesToThemselves(ofAnyElement)

function tagOf(name: string, index: number): Tag {
  return {
    name,
    index,
    isVoid: voidElements.has(name),
    isForeign: name === 'svg' || name === 'math',
    hasReferences: !rawElements.has(name),
    closesParagraph: paragraphClosers.has(name),
    isInline: inlineElements.has(name),
    isTelling: tellingElements.has(name),
    isWholePage: wholePageElements.has(name),
    attributes:
      attributesOf[name] === undefined
        ? plainAttributes
        : namesToThemselves([...ofAnyElement, ...words(attributesOf[name])]),
  }
}

const names = [
  ...new Set([
    ...voidElements,
    ...rawElements,
    ...paragraphClosers,
    ...inlineElements,
    ...tellingElements,
    ...Object.keys(attributesOf),
    ...words('center code dd details dt g head label li option path picture s summary tbody td th tr use'),
  ]),
]

export const knownTags = names.length

export const tags: NameMap<Tag> = new NameMap(names.map((name, index) => [name, tagOf(name, index)] as const))

/** Elements of any other name are like this one. */
export const plainTag = tagOf('', knownTags)
