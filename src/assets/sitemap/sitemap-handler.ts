import { decodeXML } from 'entities'
import type { TokenizerCallbacks } from 'htmlparser2'
import { type ExtensionKind, extensionKinds, kindOfNamespace, writeExtension } from './sitemap-extensions.ts'
import { TokenText } from './token-text.ts'

/** One `<url>`, `<sitemap>`, `<item>` (RSS) or `<entry>` (Atom), as the file has it. */
export interface SitemapRecord {
  readonly isSitemap: boolean
  readonly loc: string
  readonly lastmod: string
  readonly changefreq: string
  readonly priority: string
  readonly title: string
  /** Elements of extensions, written as in `writeExtension`. */
  readonly extensions: string
}

/**
 * Collects the records of an XML sitemap or feed. The tokenizer has no stack of its own, so this path of open elements
 * is all that a sequence of tags can make grow, and it has at most `depthMax` names.
 */
export class SitemapHandler implements TokenizerCallbacks {
  /** The name of the first element. */
  root: string | undefined
  /** Kinds of elements of a `<url>` that are not kept. */
  readonly skippedKinds = new Set<string>()
  isTooDeep = false
  #records: SitemapRecord[] = []
  #elementCount = 0
  readonly #path: OpenElement[] = []
  readonly #kinds = new Map<string, ExtensionKind>(extensionKinds.map((kind) => [kind, kind]))
  readonly #text = new TokenText()
  #name = ''
  #attributeName = ''
  #attributeValue = ''
  #attributes: Map<string, string> = noAttributes

  /** Has to be called with each piece before the tokenizer gets it. */
  addText(piece: string): void {
    this.#text.add(piece)
  }

  takeRecords(): readonly SitemapRecord[] {
    const records = this.#records
    this.#records = []
    return records
  }

  takeElementCount(): number {
    const count = this.#elementCount
    this.#elementCount = 0
    return count
  }

  onopentagname(start: number, end: number): void {
    this.#elementCount += 1
    this.#name = this.#nameAt(start, end)
    this.#attributes = noAttributes
  }

  onattribname(start: number, end: number): void {
    this.#attributeName = this.#attributes.size < attributesMax ? this.#nameAt(start, end) : ''
    this.#attributeValue = ''
  }

  onattribdata(start: number, end: number): void {
    if (this.#attributeName !== '')
      this.#attributeValue += this.#text.slice(start, end, valueCharsMax - this.#attributeValue.length)
  }

  onattribend(): void {
    if (this.#attributeName === '') return
    if (this.#attributes === noAttributes) this.#attributes = new Map()
    const value = decoded(this.#attributeValue)
    this.#attributes.set(this.#attributeName, value)
    if (!this.#attributeName.startsWith('xmlns:') || this.#kinds.size >= kindsMax) return
    const kind = kindOfNamespace(value)
    if (kind !== undefined) this.#kinds.set(this.#attributeName.slice('xmlns:'.length), kind)
  }

  onopentagend(): void {
    this.root ??= localName(this.#name)
    if (this.#path.length >= depthMax) this.isTooDeep = true
    else this.#path.push(new OpenElement(this.#name, this.#attributes, this.#kinds))
  }

  onselfclosingtag(): void {
    this.onopentagend()
    this.#close(this.#name)
  }

  onclosetag(start: number, end: number): void {
    this.#close(this.#nameAt(start, end))
  }

  ontext(start: number, end: number): void {
    this.#addValue(start, end, false)
  }

  oncdata(start: number, end: number, endOffset: number): void {
    this.#addValue(start, end - endOffset, true)
  }

  onattribentity(): void {}
  ontextentity(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  #close(name: string): void {
    const index = this.#path.findLastIndex((element) => element.name === name)
    if (index < 0 || this.isTooDeep) return
    while (this.#path.length > index) this.#finish(this.#path.pop())
  }

  #finish(element: OpenElement | undefined): void {
    const parent = this.#path.at(-1)
    if (element === undefined) return
    if (element.isRecord) this.#records.push(...element.toRecord())
    else if (parent !== undefined) parent.take(element, this.skippedKinds)
  }

  /** Keeps the markup as it is until the element ends: text may arrive in pieces that cut a character reference. */
  #addValue(start: number, end: number, isPlain: boolean): void {
    const element = this.#path.at(-1)
    const parent = this.#path.at(-2)
    if (element === undefined || (parent?.isRecord !== true && element.kind === undefined)) return
    const raw = this.#text.slice(start, end, valueCharsMax - element.text.length)
    element.text += isPlain ? raw.replaceAll('&', '&amp;') : raw
  }

  #nameAt(start: number, end: number): string {
    return this.#text.slice(start, end, nameCharsMax).toLowerCase()
  }
}

class OpenElement {
  readonly name: string
  readonly kind: ExtensionKind | undefined
  readonly isRecord: boolean
  /** Text of the file, with its character references. */
  text = ''
  readonly #attributes: ReadonlyMap<string, string>
  #fields: Map<string, string> | undefined
  /** Elements of extensions. */
  #inner = ''

  constructor(
    name: string,
    attributes: ReadonlyMap<string, string>,
    kinds: ReadonlyMap<string, ExtensionKind>,
  ) {
    this.name = name
    this.#attributes = attributes
    this.kind = kinds.get(name.slice(0, Math.max(0, name.indexOf(':'))))
    this.isRecord = this.kind === undefined && recordNames.has(localName(name))
  }

  toRecord(): readonly SitemapRecord[] {
    const [loc = '', lastmod = '', changefreq = '', priority = '', title = ''] = [
      ['loc', 'link', 'guid'],
      ['lastmod', 'updated', 'pubdate', 'date', 'published'],
      ['changefreq'],
      ['priority'],
      ['title'],
    ].map((names) => names.map((name) => this.#fields?.get(name)).find(Boolean))
    const isSitemap = localName(this.name) === 'sitemap'
    return loc === ''
      ? []
      : [{ isSitemap, loc, lastmod, changefreq, priority, title, extensions: this.#inner }]
  }

  /** Adds a child that has ended. */
  take(child: OpenElement, skippedKinds: Set<string>): void {
    const { kind } = child
    const name = localName(child.name)
    const text = decoded(child.text)
    if (kind === undefined) {
      if (!this.isRecord) return
      this.#setField(name, name === 'link' ? child.#linkTarget(text) : text)
      if (localName(this.name) === 'url' && !protocolNames.has(name) && skippedKinds.size < kindsMax)
        skippedKinds.add(/^[\w.-]*/.exec(child.name)?.[0] ?? '')
      return
    }
    if (name === 'title' && (this.kind === 'news' || this.kind === 'video')) this.#setField('title', text)
    if (this.isRecord) this.#setField('title', child.#fields?.get('title') ?? '')
    if (!this.isRecord && this.kind !== kind) return
    const xml = writeExtension({ kind, name, text, attributes: child.#attributes, inner: child.#inner })
    if (this.#inner.length + xml.length <= extensionCharsMax) this.#inner += xml
    else if (skippedKinds.size < kindsMax) skippedKinds.add(kind)
  }

  /** The first value counts. */
  #setField(name: string, value: string): void {
    if (value === '') return
    this.#fields ??= new Map()
    if (!this.#fields.has(name)) this.#fields.set(name, value)
  }

  /** Feeds have links as text (RSS) or as an attribute (Atom). */
  #linkTarget(text: string): string {
    const rel = this.#attributes.get('rel') ?? 'alternate'
    return rel === 'alternate' ? this.#attributes.get('href') || text : ''
  }
}

function decoded(markup: string): string {
  return (markup.includes('&') ? decodeXML(markup) : markup).trim()
}

/** Most elements have none, and nothing is added to this one. */
const noAttributes = new Map<string, string>()

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

const recordNames: ReadonlySet<string> = new Set(['url', 'sitemap', 'item', 'entry'])
const protocolNames: ReadonlySet<string> = new Set(['loc', 'lastmod', 'changefreq', 'priority'])
const depthMax = 16
const attributesMax = 16
const kindsMax = 16
const nameCharsMax = 64
/** Longest URL before decoding: twice the length that the sitemap format allows. */
const valueCharsMax = 4_096
/** Extensions of one URL. */
const extensionCharsMax = 32_768
