import type { Attributes, MarkupHandler } from '../preview/markup-reader.ts'
import type { Tag } from '../preview/tags.ts'
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

/** Collects the records of an XML sitemap or feed. */
export class SitemapHandler implements MarkupHandler<OpenElement> {
  /** The name of the first element. */
  root: string | undefined
  /** Kinds of elements of a `<url>` that are not kept. */
  readonly skippedKinds = new Set<string>()
  isTooDeep = false
  /** Whether elements of extensions are wanted. */
  keepsExtensions = true
  #records: SitemapRecord[] = []
  #work = 0
  readonly #kinds = new Map<string, ExtensionKind>(extensionKinds.map((kind) => [kind, kind]))

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

  open({ name }: Tag, attributes: Attributes, around: OpenElement): OpenElement {
    this.#work += workOf.element
    this.root ??= localName(name)
    if (around.depth >= depthMax) this.isTooDeep = true
    for (const attribute of attributes.names())
      if (attribute.startsWith('xmlns:')) this.#addKind(attribute, attributes.get(attribute) ?? '')
    const kind = this.#kinds.get(name.slice(0, Math.max(0, name.indexOf(':'))))
    const isRead = kind === undefined ? localName(name) === 'link' : this.keepsExtensions
    return new OpenElement(name, isRead ? this.#copyOf(attributes) : noAttributes, kind, around)
  }

  isListening(inside: OpenElement): boolean {
    return (
      (inside.around?.isRecord === true || inside.kind !== undefined) && inside.text.length < valueCharsMax
    )
  }

  text(text: string, inside: OpenElement): void {
    this.#work += workOf.value + text.length / charsOfWork
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
export const workOf = { token: 1, element: 1, value: 1, extension: 10 } as const
/** Characters that are decoded for one unit of work. */
const charsOfWork = 20

export class OpenElement {
  readonly name: string
  readonly kind: ExtensionKind | undefined
  readonly isRecord: boolean
  readonly around: OpenElement | undefined
  /** How many elements are around it. */
  readonly depth: number
  text = ''
  readonly #attributes: ReadonlyMap<string, string>
  #fields: Map<string, string> | undefined
  /** Elements of extensions. */
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

/** Most elements have none, and nothing is added to this one. */
const noAttributes: ReadonlyMap<string, string> = new Map()

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

const recordNames: ReadonlySet<string> = new Set(['url', 'sitemap', 'item', 'entry'])
const protocolNames: ReadonlySet<string> = new Set(['loc', 'lastmod', 'changefreq', 'priority'])
const depthMax = 16
const kindsMax = 16
/** Longest URL before decoding: twice the length that the sitemap format allows. */
const valueCharsMax = 4_096
/** Extensions of one URL. */
const extensionCharsMax = 32_768

/** What is around the first element of a file. */
export const outsideOfFile = new OpenElement('', noAttributes, undefined)
