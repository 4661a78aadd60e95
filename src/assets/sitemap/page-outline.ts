import { decodeHTML } from 'entities'
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { words } from '../../lib/words.ts'
import { TokenText } from './token-text.ts'

export interface PageLink {
  /** Relative to the page, if it is. */
  readonly href: string
  /** The heading in the link, else its first line; may be empty. */
  readonly text: string
  /** Whether the page asks not to follow it. */
  readonly isNofollow: boolean
}

/** The links of a page and how much of it there is to read without its scripts. */
export class PageOutline implements TokenizerCallbacks {
  readonly links: PageLink[] = []
  /** Characters that a reader sees, spaces aside. */
  textChars = 0
  hasScript = false
  hasPassword = false
  readonly #text = new TokenText()
  readonly #tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: false }, this)
  #name = ''
  #attribute = ''
  #attributes = new Map<string, string>()
  /** The open element whose content nobody reads. */
  #hidden = ''
  #link: OpenLink | undefined

  write(piece: string): void {
    this.#text.add(piece)
    this.#tokenizer.write(piece)
  }

  onopentagname(start: number, end: number): void {
    this.#name = this.#text.slice(start, end, nameCharsMax).toLowerCase()
    if (this.#attributes.size > 0) this.#attributes = new Map()
  }

  onattribname(start: number, end: number): void {
    const name = this.#text.slice(start, end, nameCharsMax).toLowerCase()
    this.#attribute = attributeNames.has(name) && !this.#attributes.has(name) ? name : ''
    if (this.#attribute !== '') this.#attributes.set(name, '')
  }

  onattribdata(start: number, end: number): void {
    if (this.#attribute === '') return
    const value = this.#attributes.get(this.#attribute) ?? ''
    this.#attributes.set(
      this.#attribute,
      value + this.#text.slice(start, end, attributeCharsMax - value.length),
    )
  }

  onopentagend(): void {
    const name = this.#name
    if (name === 'script') this.hasScript = true
    if (this.#hidden !== '') return
    if (hiddenNames.has(name)) this.#hidden = name
    else if (name === 'a') this.#openLink()
    else if (name === 'input') this.hasPassword ||= this.#attributes.get('type')?.toLowerCase() === 'password'
    else this.#link?.breakAt(name, false)
  }

  onselfclosingtag(): void {
    this.onopentagend()
  }

  onclosetag(start: number, end: number): void {
    const name = this.#text.slice(start, end, nameCharsMax).toLowerCase()
    if (this.#hidden === name) this.#hidden = ''
    else if (name === 'a') this.#closeLink()
    else if (this.#hidden === '') this.#link?.breakAt(name, true)
  }

  ontext(start: number, end: number): void {
    if (this.#hidden !== '') return
    const text = this.#text.slice(start, end, textCharsMax)
    this.textChars += text.replace(/\s/g, '').length
    this.#link?.add(text)
  }

  onend(): void {
    this.#closeLink()
  }

  onattribentity(): void {}
  onattribend(): void {}
  ontextentity(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

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

const attributeNames: ReadonlySet<string> = new Set(['href', 'rel', 'type'])
const hiddenNames: ReadonlySet<string> = new Set(
  words('script style title noscript template svg select textarea'),
)
const blockNames: ReadonlySet<string> = new Set(
  words('p div br li ul ol section article header footer figure figcaption time table tr td small'),
)
const nameCharsMax = 32
const attributeCharsMax = 2_048
const textCharsMax = 512
const linesMax = 16
const linksMax = 1_000
