import { MarkupReader } from '../preview/markup-reader.ts'
import { outsideOfFile, SitemapHandler, type SitemapRecord, workOf } from './sitemap-handler.ts'

/** Gets what a sitemap lists. */
export interface SitemapListener {
  onRecord(record: SitemapRecord): void
  /** Called with the work that each piece of a file took. */
  onWork(work: number): void
  /** Whether it keeps elements of extensions, such as pictures. */
  wantsExtensions(): boolean
  /** Whether it has what it needs. */
  isDone(): boolean
}

/**
 * Reads a sitemap, a sitemap index, an RSS or Atom feed, or a list of one URL a line while it arrives. A file that is
 * nested too deep, or that has a long stretch without an entry, is read up to there.
 */
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

  /** Whether the rest of the file is not wanted. */
  isDone(): boolean {
    return this.isCut() || this.isPage() || this.#listener.isDone()
  }

  /** Whether the file was not worth reading to its end. */
  isCut(): boolean {
    return this.#handler.isTooDeep || this.#charsSinceRecord > barrenCharsMax
  }

  /** Whether the file is a web page. */
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

  /** Reads the rest. The last line needs no line break. */
  *end(): Generator<void, void> {
    if (this.#pending !== '' && !this.isDone()) yield* this.#readSlice(this.#pending)
    if (this.#format === 'lines') yield* this.#hand(this.#readLines('\n'))
  }

  *#readSlice(slice: string): Generator<void, void> {
    if (this.#format === 'unknown') this.#begin(slice)
    this.#charsSinceRecord += slice.length
    this.#listener.onWork(slice.length / charsOfWork)
    yield* this.#hand(this.#format === 'lines' ? this.#readLines(slice) : this.#readMarkup(slice))
    yield
  }

  #begin(text: string): void {
    this.#format = text.startsWith('<') ? 'markup' : 'lines'
    this.#isPage = /^<(?:!doctype html|html)/i.test(text)
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

/** A line has a URL and nothing else. */
const lineRecord = {
  isSitemap: false,
  lastmod: '',
  changefreq: '',
  priority: '',
  title: '',
  extensions: '',
  lacksExtensions: false,
} as const

/** The longest step of the cooperative scheduler. */
const sliceChars = 8_192
/** Characters that are read for one unit of work. */
const charsOfWork = 10
const lineCharsMax = 4_096
/** Characters without an entry: a page in a sitemap may have a thousand pictures. */
const barrenCharsMax = 1_048_576
