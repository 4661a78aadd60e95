import { decodeXML } from 'entities'
import type { TokenHandler } from '../preview/markup-scanner.ts'
import { type ExtensionKind, extensionKinds, kindOfNamespace, writeExtension } from './sitemap-extensions.ts'

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
  /** It has elements of extensions that were not kept. */
  readonly lacksExtensions: boolean
}

/**
 * Collects the records of an XML sitemap or feed. The scanner has no stack of its own, so this path of open elements
 * is all that a sequence of tags can make grow, and it has at most `depthMax` names.
 */
export class SitemapHandler implements TokenHandler {
  /** The name of the first element. */
  root: string | undefined
  /** Kinds of elements of a `<url>` that are not kept. */
  readonly skippedKinds = new Set<string>()
  isTooDeep = false
  /** Whether elements of extensions are wanted. */
  keepsExtensions = true
  #records: SitemapRecord[] = []
  #work = 0
  readonly #path: OpenElement[] = []
  readonly #kinds = new Map<string, ExtensionKind>(extensionKinds.map((kind) => [kind, kind]))
  #name = ''
  #kind: ExtensionKind | undefined
  #attributes: Map<string, string> = noAttributes

  takeRecords(): readonly SitemapRecord[] {
    const records = this.#records
    this.#records = []
    return records
  }

  /** The work since the last call, see `workOf`. */
  takeWork(): number {
    const work = this.#work
    this.#work = 0
    return work
  }

  openTagName(text: string, start: number, end: number): void {
    this.#work += workOf.element
    this.#name = nameAt(text, start, end)
    this.#kind = this.#kinds.get(this.#name.slice(0, Math.max(0, this.#name.indexOf(':'))))
    this.#attributes = noAttributes
  }

  attribute(text: string, start: number, end: number, valueStart: number, valueEnd: number): void {
    this.#work += workOf.tag
    const isUseless = this.#kind !== undefined && !this.keepsExtensions
    if (isUseless || this.#attributes.size >= attributesMax) return
    if (this.#attributes === noAttributes) this.#attributes = new Map()
    const name = nameAt(text, start, end)
    const value = this.#decoded(text.slice(valueStart, Math.min(valueEnd, valueStart + valueCharsMax)))
    this.#work += workOf.value
    this.#attributes.set(name, value)
    if (!name.startsWith('xmlns:') || this.#kinds.size >= kindsMax) return
    const kind = kindOfNamespace(value)
    if (kind !== undefined) this.#kinds.set(name.slice('xmlns:'.length), kind)
  }

  openTagEnd(isSelfClosing: boolean): undefined {
    this.root ??= localName(this.#name)
    if (this.#path.length >= depthMax) this.isTooDeep = true
    else this.#path.push(new OpenElement(this.#name, this.#attributes, this.#kind))
    if (isSelfClosing) this.#close(this.#name)
  }

  closeTag(text: string, start: number, end: number): void {
    this.#work += workOf.tag
    this.#close(nameAt(text, start, end))
  }

  text(text: string, start: number, end: number): void {
    this.#addValue(text, start, end, false)
  }

  section(text: string, start: number, end: number): void {
    this.#addValue(text, start, end, true)
  }

  comment(): void {
    this.#work += workOf.tag
  }

  isInForeignContext(): boolean {
    return true
  }

  end(): void {}

  #close(name: string): void {
    const index = this.#path.findLastIndex((element) => element.name === name)
    if (index < 0 || this.isTooDeep) return
    while (this.#path.length > index) this.#finish(this.#path.pop())
  }

  #finish(element: OpenElement | undefined): void {
    const parent = this.#path.at(-1)
    if (element === undefined) return
    if (element.isRecord) this.#records.push(...element.toRecord())
    else if (parent !== undefined) {
      if (element.kind !== undefined && this.keepsExtensions) this.#work += workOf.extension
      parent.take(element, this.#decoded(element.text), this)
    }
  }

  /** Keeps the markup as it is until the element ends: text may arrive in pieces that cut a character reference. */
  #addValue(text: string, start: number, end: number, isPlain: boolean): void {
    this.#work += workOf.tag
    const element = this.#path.at(-1)
    const parent = this.#path.at(-2)
    if (element === undefined || (parent?.isRecord !== true && element.kind === undefined)) return
    const left = valueCharsMax - element.text.length
    if (left <= 0) return
    this.#work += workOf.value
    const raw = text.slice(start, Math.min(end, start + left))
    element.text += isPlain ? raw.replaceAll('&', '&amp;') : raw
  }

  #decoded(markup: string): string {
    if (!markup.includes('&')) return markup.trim()
    this.#work += markup.length / charsOfWork
    return decodeXML(markup).trim()
  }
}

/** Cost of reading pieces of a file, in units of about a tenth of a microsecond. */
export const workOf = { tag: 1, element: 3, value: 1, extension: 10 } as const
/** Characters that are decoded for one unit of work. */
const charsOfWork = 8

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
  #lacksExtensions = false

  constructor(name: string, attributes: ReadonlyMap<string, string>, kind: ExtensionKind | undefined) {
    this.name = name
    this.#attributes = attributes
    this.kind = kind
    this.isRecord = kind === undefined && recordNames.has(localName(name))
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
      : [
          {
            isSitemap,
            loc,
            lastmod,
            changefreq,
            priority,
            title,
            extensions: this.#inner,
            lacksExtensions: this.#lacksExtensions,
          },
        ]
  }

  /** Adds a child that has ended. @param text the child's own, decoded */
  take(
    child: OpenElement,
    text: string,
    { skippedKinds, keepsExtensions }: Pick<SitemapHandler, 'skippedKinds' | 'keepsExtensions'>,
  ): void {
    const { kind } = child
    const name = localName(child.name)
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
    if (!keepsExtensions) {
      this.#lacksExtensions = true
      return
    }
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

function nameAt(text: string, start: number, end: number): string {
  return text.slice(start, Math.min(end, start + nameCharsMax)).toLowerCase()
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
