import { type Attributes, type MarkupHandler, MarkupReader } from '../preview/markup-reader.ts'
import type { Tag } from '../preview/tags.ts'
import { type ExtensionKind, extensionKinds, kindOfNamespace, writeExtension } from './write-sitemap.ts'

export interface SitemapListener {
  onRecord(record: SitemapRecord): void
  onWork(work: number): void
  wantsExtensions(): boolean
  isDone(): boolean
}

/** Reads a sitemap, an index, a feed or a list of URLs as it arrives, up to what is too deep or a long stretch without an entry. */
export class SitemapReader {
  readonly #listener: SitemapListener
  readonly #handler = new SitemapHandler()
  readonly #reader = new MarkupReader(this.#handler, outsideOfFile, { isXml: true })
  #format: 'unknown' | 'markup' | 'lines' = 'unknown'
  /** The beginning of a slice whose end has not arrived. */
  #pending = ''
  /** The beginning of a line whose end has not arrived. */
  #line = ''
  #charsSinceRecord = 0
  #isPage = false

  constructor(listener: SitemapListener) {
    this.#listener = listener
  }

  isDone(): boolean {
    return this.isCut() || this.isPage() || this.#listener.isDone()
  }

  isCut(): boolean {
    return this.#handler.isTooDeep || this.#charsSinceRecord > barrenCharsMax
  }

  isPage(): boolean {
    return this.#isPage || this.#handler.root === 'html'
  }

  skippedKinds(): Iterable<string> {
    return this.#handler.skippedKinds
  }

  /** Yields after every small step. Slices are the same however the file arrives, so that limits cut it at one place. */
  *read(text: string): Generator<void, void> {
    this.#pending += this.#format === 'unknown' ? text.replace(/^[\ufeff\s]+/, '') : text
    if (this.#pending.length < sliceChars) return
    const whole = this.#pending
    let at = 0
    for (; at + sliceChars <= whole.length && !this.isDone(); at += sliceChars)
      yield* this.#readSlice(whole.slice(at, at + sliceChars))
    this.#pending = whole.slice(at)
  }

  *end(): Generator<void, void> {
    if (this.#pending !== '' && !this.isDone()) yield* this.#readSlice(this.#pending)
    if (this.#format === 'lines') yield* this.#hand(this.#readLines('\n'))
  }

  *#readSlice(slice: string): Generator<void, void> {
    if (this.#format === 'unknown') {
      this.#format = slice.startsWith('<') ? 'markup' : 'lines'
      this.#isPage = /^<(?:!doctype html|html)/i.test(slice)
    }
    this.#charsSinceRecord += slice.length
    this.#listener.onWork(slice.length / charsOfWork)
    yield* this.#hand(this.#format === 'lines' ? this.#readLines(slice) : this.#readMarkup(slice))
    yield
  }

  *#hand(records: readonly SitemapRecord[]): Generator<void, void> {
    for (const record of records) {
      if (this.#listener.isDone()) return
      this.#charsSinceRecord = 0
      this.#listener.onRecord(record)
      yield
    }
  }

  #readMarkup(slice: string): readonly SitemapRecord[] {
    this.#handler.keepsExtensions = this.#listener.wantsExtensions()
    const before = this.#reader.tokens
    this.#reader.write(slice)
    this.#listener.onWork(this.#handler.takeWork() + (this.#reader.tokens - before) * workOf.token)
    return this.#handler.takeRecords()
  }

  #readLines(slice: string): readonly SitemapRecord[] {
    const [first = '', ...others] = slice.split(/\r\n?|\n/)
    const begun = this.#line.length > lineCharsMax ? this.#line : this.#line + first
    const lines = [begun, ...others]
    this.#line = lines.pop() ?? ''
    this.#listener.onWork(lines.length * workOf.token)
    return lines
      .map((line) => line.trim())
      .filter((line) => line.length <= lineCharsMax && /^https?:\/\//i.test(line))
      .map((loc) => ({ ...lineRecord, loc }))
  }
}

const lineRecord = {
  ...{ lastmod: '', changefreq: '', priority: '', title: '', extensions: '' },
  isSitemap: false,
  lacksExtensions: false,
}

const sliceChars = 8_192
/** Characters that are read for one unit of work. */
const charsOfWork = 10
const lineCharsMax = 4_096
/** Characters without an entry: a page in a sitemap may have a thousand pictures. */
const barrenCharsMax = 1_048_576

/** One `<url>`, `<sitemap>`, `<item>` (RSS) or `<entry>` (Atom), as the file has it; `extensions` as `writeExtension` writes them. */
export type SitemapRecord = Readonly<
  Record<'isSitemap' | 'lacksExtensions', boolean> &
    Record<'loc' | 'lastmod' | 'changefreq' | 'priority' | 'title' | 'extensions', string>
>

class SitemapHandler implements MarkupHandler<OpenElement> {
  root: string | undefined
  readonly skippedKinds = new Set<string>()
  isTooDeep = false
  keepsExtensions = true
  readonly #records: SitemapRecord[] = []
  #work = 0
  readonly #kinds = new Map<string, ExtensionKind>(extensionKinds.map((kind) => [kind, kind]))

  takeRecords(): readonly SitemapRecord[] {
    return this.#records.splice(0)
  }

  takeWork(): number {
    const work = this.#work
    this.#work = 0
    return work
  }

  open({ name }: Tag, attributes: Attributes, around: OpenElement): OpenElement {
    this.#work += workOf.element
    this.root ??= localName(name)
    if (around.depth >= 16) this.isTooDeep = true
    for (const attribute of attributes.names())
      if (attribute.startsWith('xmlns:')) this.#addKind(attribute, attributes.get(attribute) ?? '')
    const kind = this.#kinds.get(name.slice(0, Math.max(0, name.indexOf(':'))))
    const isRead = kind === undefined ? localName(name) === 'link' : this.keepsExtensions
    return new OpenElement(name, isRead ? this.#copyOf(attributes) : noAttributes, kind, around)
  }

  isListening(inside: OpenElement): boolean {
    const isKept = inside.around?.isRecord === true || inside.kind !== undefined
    return isKept && inside.text.length < valueCharsMax
  }

  text(text: string, inside: OpenElement): void {
    this.#work += workOf.value + text.length / charsOfTextWork
    inside.text += text.slice(0, valueCharsMax - inside.text.length)
  }

  close(_: Tag, element: OpenElement): void {
    if (this.isTooDeep) return
    if (element.isRecord) this.#records.push(...element.toRecord())
    else {
      if (element.kind !== undefined && this.keepsExtensions) this.#work += workOf.extension
      element.around?.take(element, element.text.trim(), this)
    }
  }

  #addKind(attribute: string, namespace: string): void {
    const kind = this.#kinds.size < kindsMax ? kindOfNamespace(namespace) : undefined
    if (kind !== undefined) this.#kinds.set(attribute.slice('xmlns:'.length), kind)
  }

  #copyOf(attributes: Attributes): ReadonlyMap<string, string> {
    const names = attributes.names()
    this.#work += names.length * workOf.value
    return names.length === 0
      ? noAttributes
      : new Map(names.map((name) => [name, (attributes.get(name) ?? '').slice(0, valueCharsMax).trim()]))
  }
}

/** Cost of reading pieces of a file, in units of about a tenth of a microsecond. */
const workOf = { token: 1, element: 1, value: 1, extension: 10 } as const
/** Characters of a text that is kept for one unit of work. */
const charsOfTextWork = 20

class OpenElement {
  readonly name: string
  readonly kind: ExtensionKind | undefined
  readonly isRecord: boolean
  readonly around: OpenElement | undefined
  readonly depth: number
  text = ''
  readonly #attributes: ReadonlyMap<string, string>
  #fields: Map<string, string> | undefined
  #inner = ''
  #lacksExtensions = false

  constructor(
    name: string,
    attributes: ReadonlyMap<string, string>,
    kind: ExtensionKind | undefined,
    around?: OpenElement,
  ) {
    this.name = name
    this.around = around
    this.depth = around === undefined ? 0 : around.depth + 1
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
    if (loc === '') return []
    const isSitemap = localName(this.name) === 'sitemap'
    const [extensions, lacksExtensions] = [this.#inner, this.#lacksExtensions]
    return [{ isSitemap, loc, lastmod, changefreq, priority, title, extensions, lacksExtensions }]
  }

  /** Adds a child that has ended. @param text the child's own, decoded */
  take(child: OpenElement, text: string, { skippedKinds, keepsExtensions }: SitemapHandler): void {
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
    this.#lacksExtensions ||= !keepsExtensions
    if (!keepsExtensions) return
    const xml = writeExtension({ kind, name, text, attributes: child.#attributes, inner: child.#inner })
    if (this.#inner.length + xml.length <= extensionCharsMax) this.#inner += xml
    else if (skippedKinds.size < kindsMax) skippedKinds.add(kind)
  }

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

/** Most elements have none, and nothing is added to this one. */
const noAttributes: ReadonlyMap<string, string> = new Map()

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

const recordNames: ReadonlySet<string> = new Set(['url', 'sitemap', 'item', 'entry'])
const protocolNames: ReadonlySet<string> = new Set(['loc', 'lastmod', 'changefreq', 'priority'])
const kindsMax = 16
/** Longest URL before decoding: twice the length that the sitemap format allows. */
const valueCharsMax = 4_096
const extensionCharsMax = 32_768

const outsideOfFile = new OpenElement('', noAttributes, undefined)
