import { words } from '../../lib/words.ts'
import elements from './data/elements.json' with { type: 'json' }

/** Looks up a part of a text without creating a string for it, as a page has thousands of names and most are in no map. */
export class NameMap<Value> {
  readonly #buckets: ({ readonly name: string; readonly value: Value }[] | undefined)[] = Array.from({
    length: letters * lengths,
  })

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

export type Tag = Readonly<ReturnType<typeof tagOf>>

/** `raw`: nothing in them is markup but their own end tag, and references stay. `closesParagraph`: the end tag of a paragraph may be missing before these. */
const attributesOf: Readonly<Record<string, string>> = elements.attributes
const voidElements = namesOf(elements.void)
const rawElements = namesOf(elements.raw)
const paragraphClosers = namesOf(elements.closesParagraph)
const inlineElements = namesOf(elements.inline)
const tellingElements = namesOf(elements.telling)
const wholePageElements = namesOf(elements.wholePage)

function namesOf(list: string): ReadonlySet<string> {
  return new Set(words(list))
}

function namesToThemselves(names: readonly string[]): NameMap<string> {
  return new NameMap(names.map((name) => [name, name]))
}

const ofAnyElement = words(elements.attributes['*'])
const plainAttributes = namesToThemselves(ofAnyElement)

function tagOf(name: string, index: number) {
  const own = attributesOf[name]
  return {
    name,
    index,
    isVoid: voidElements.has(name),
    isForeign: name === 'svg' || name === 'math',
    /** Character references in its text are decoded. */
    hasReferences: !rawElements.has(name),
    closesParagraph: paragraphClosers.has(name),
    isInline: inlineElements.has(name),
    /** Says something by its name. All others only do by their attributes. */
    isTelling: tellingElements.has(name),
    /** The whole page may be in it, whatever its class says: `cookies-not-set` on the body is no cookie notice. */
    isWholePage: wholePageElements.has(name),
    attributes: own === undefined ? plainAttributes : namesToThemselves([...ofAnyElement, ...words(own)]),
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
    ...words(elements.other),
  ]),
]

export const knownTags = names.length

export const tags: NameMap<Tag> = new NameMap(names.map((name, index) => [name, tagOf(name, index)] as const))

/** Elements of any other name are like this one. */
export const plainTag = tagOf('', knownTags)
