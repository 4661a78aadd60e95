import { words } from '../../lib/words.ts'
import type { Attributes } from './markup-reader.ts'

export interface PageLink {
  readonly href: string
  /** The heading in the link, else its first line; may be empty. */
  readonly text: string
  readonly isNofollow: boolean
}

const charsCountedMax = 4_096
const markupCharsMax = 65_536

export class PageOutline {
  readonly links: PageLink[] = []
  /** Characters that a reader sees, spaces aside. Not counted to the end: what matters is whether there are a few. */
  textChars = 0
  hasScript = false
  hasPassword = false
  markup = ''
  #link: OpenLink | undefined

  addMarkup(html: string): void {
    if (this.markup.length < markupCharsMax) this.markup += html
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'script') this.hasScript = true
    else if (name === 'a') this.#openLink(attributes)
    else if (name === 'input') this.hasPassword ||= attributes.get('type')?.toLowerCase() === 'password'
    else this.#link?.breakAt(name, false)
  }

  text(text: string): void {
    if (this.textChars < charsCountedMax)
      this.textChars += text.slice(0, textCharsMax).replace(/\s+/g, '').length
    this.#link?.add(text)
  }

  close(name: string): void {
    if (name === 'a') this.#closeLink()
    else this.#link?.breakAt(name, true)
  }

  #openLink(attributes: Attributes): void {
    this.#closeLink()
    const href = attributes.get('href')
    if (href !== undefined && this.links.length < 1_000)
      this.#link = new OpenLink(href, attributes.get('rel'))
  }

  #closeLink(): void {
    if (this.#link !== undefined) this.links.push(this.#link.toLink())
    this.#link = undefined
  }
}

class OpenLink {
  readonly #href: string
  readonly #isNofollow: boolean
  #lines = ['']
  #heading: string | undefined
  #chars = 0

  constructor(href: string, rel = '') {
    this.#href = href
    this.#isNofollow = words(rel.toLowerCase()).includes('nofollow')
  }

  add(text: string): void {
    const kept = text.slice(0, textCharsMax - this.#chars)
    this.#chars += kept.length
    this.#lines.push((this.#lines.pop() ?? '') + kept)
  }

  breakAt(name: string, isEnd: boolean): void {
    const isHeading = /^h[1-6]$/.test(name)
    if (isHeading && isEnd) this.#heading ??= this.#lines.at(-1)
    if ((isHeading || blockNames.has(name)) && this.#lines.length < 16) this.#lines.push('')
  }

  toLink(): PageLink {
    const texts = [this.#heading ?? '', ...this.#lines].map((line) => line.replace(/\s+/g, ' ').trim())
    const text = texts.find((line) => /\p{L}/u.test(line)) ?? ''
    return { href: this.#href, text, isNofollow: this.#isNofollow }
  }
}

const blockNames: ReadonlySet<string> = new Set(
  words('p div br li ul ol section article header footer figure figcaption time table tr td small'),
)
const textCharsMax = 512
