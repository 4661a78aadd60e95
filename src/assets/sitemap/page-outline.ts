import { decodeHTML } from 'entities'
import { words } from '../../lib/words.ts'
import { MarkupScanner, type TokenHandler } from '../preview/markup-scanner.ts'

export interface PageLink {
  /** Relative to the page, if it is. */
  readonly href: string
  /** The heading in the link, else its first line; may be empty. */
  readonly text: string
  /** Whether the page asks not to follow it. */
  readonly isNofollow: boolean
}

/** The links of a page and how much of it there is to read without its scripts. */
export class PageOutline implements TokenHandler {
  readonly links: PageLink[] = []
  /** Characters that a reader sees, spaces aside. Not counted to the end: what matters is whether there are a few. */
  textChars = 0
  hasScript = false
  hasPassword = false
  readonly #scanner = new MarkupScanner(this)
  #name = ''
  #attributes = new Map<string, string>()
  /** The open element whose content nobody reads. */
  #hidden = ''
  #link: OpenLink | undefined

  write(piece: string): void {
    this.#scanner.write(piece)
  }

  /** Has to be called once, after the last piece. */
  finish(): void {
    this.#scanner.end()
  }

  openTagName(text: string, start: number, end: number): void {
    this.#name = nameAt(text, start, end)
    if (this.#attributes.size > 0) this.#attributes = new Map()
  }

  attribute(text: string, start: number, end: number, valueStart: number, valueEnd: number): void {
    const wanted = attributesOf.get(this.#name)
    const name = wanted === undefined ? '' : nameAt(text, start, end)
    if (wanted?.has(name) === true && !this.#attributes.has(name))
      this.#attributes.set(name, text.slice(valueStart, Math.min(valueEnd, valueStart + attributeCharsMax)))
  }

  openTagEnd(): string | undefined {
    const name = this.#name
    if (name === 'script') this.hasScript = true
    if (this.#hidden !== '') return this.isInForeignContext() ? undefined : rawName(name)
    if (hiddenNames.has(name)) this.#hidden = name
    else if (name === 'a') this.#openLink()
    else if (name === 'input') this.hasPassword ||= this.#attributes.get('type')?.toLowerCase() === 'password'
    else this.#link?.breakAt(name, false)
    return rawName(name)
  }

  closeTag(text: string, start: number, end: number): void {
    const name = nameAt(text, start, end)
    if (this.#hidden === name) this.#hidden = ''
    else if (name === 'a') this.#closeLink()
    else if (this.#hidden === '') this.#link?.breakAt(name, true)
  }

  text(text: string, start: number, end: number): void {
    if (this.#hidden !== '') return
    const read = text.slice(start, Math.min(end, start + textCharsMax))
    if (this.textChars < charsCountedMax) this.textChars += read.replace(/\s/g, '').length
    this.#link?.add(read)
  }

  end(): void {
    this.#closeLink()
  }

  isInForeignContext(): boolean {
    return this.#hidden === 'svg'
  }

  #openLink(): void {
    this.#closeLink()
    const href = this.#attributes.get('href')
    if (href !== undefined && this.links.length < linksMax)
      this.#link = new OpenLink(decodeHTML(href), words(this.#attributes.get('rel')?.toLowerCase() ?? ''))
  }

  #closeLink(): void {
    if (this.#link !== undefined) this.links.push(this.#link.toLink())
    this.#link = undefined
  }
}

class OpenLink {
  readonly #href: string
  readonly #rel: readonly string[]
  #lines = ['']
  #heading: string | undefined
  #chars = 0

  constructor(href: string, rel: readonly string[]) {
    this.#href = href
    this.#rel = rel
  }

  add(text: string): void {
    const kept = text.slice(0, textCharsMax - this.#chars)
    this.#chars += kept.length
    this.#lines.push((this.#lines.pop() ?? '') + kept)
  }

  /** Begins a line where an element that is a block begins or ends. */
  breakAt(name: string, isEnd: boolean): void {
    const isHeading = /^h[1-6]$/.test(name)
    if (isHeading && isEnd) this.#heading ??= this.#lines.at(-1)
    if ((isHeading || blockNames.has(name)) && this.#lines.length < linesMax) this.#lines.push('')
  }

  toLink(): PageLink {
    const texts = [this.#heading ?? '', ...this.#lines].map((line) =>
      decodeHTML(line).replace(/\s+/g, ' ').trim(),
    )
    const text = texts.find((line) => /\p{L}/u.test(line)) ?? ''
    return { href: this.#href, text, isNofollow: this.#rel.includes('nofollow') }
  }
}

function rawName(name: string): string | undefined {
  return rawNames.has(name) ? name : undefined
}

function nameAt(text: string, start: number, end: number): string {
  return text.slice(start, Math.min(end, start + nameCharsMax)).toLowerCase()
}

/** The attributes that are read, by element. */
const attributesOf: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['a', new Set(['href', 'rel'])],
  ['input', new Set(['type'])],
])
const hiddenNames: ReadonlySet<string> = new Set(
  words('script style title noscript template svg select textarea'),
)
/** Elements inside which nothing is markup but their own end tag. */
const rawNames: ReadonlySet<string> = new Set(words('script style title textarea'))
const blockNames: ReadonlySet<string> = new Set(
  words('p div br li ul ol section article header footer figure figcaption time table tr td small'),
)
const nameCharsMax = 32
const attributeCharsMax = 2_048
const textCharsMax = 512
const charsCountedMax = 4_096
const linesMax = 16
const linksMax = 1_000
