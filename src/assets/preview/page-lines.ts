import { decodeHTML } from 'entities'
import { boilerplate, footnote, link, listed, preformatted } from './element-flags.ts'
import type { PageMetadata } from './page-metadata.ts'
import { readableText, withRaised } from './page-text.ts'
import { partOf } from './read-element.ts'

/** Author and date are often in lines below a heading. Texts are kept as places, because nothing needs most lines. */
export class PageLines {
  readonly #metadata: PageMetadata
  #line = new Line()
  #before = new Line()
  /** True if the line is a part of the page's own text, and not of a menu or the like. */
  #isOwn = true
  #isCredit = false
  #flags = 0
  /** The line before is a link, and the text below is about where that leads. */
  #isBelowLink = false
  /** A heading below those that are kept has come, and what follows is about a part of the page. */
  #isInSection = false
  #linkChars = 0
  #chars = 0
  #block = ''
  #full = 0

  constructor(metadata: PageMetadata) {
    this.#metadata = metadata
  }

  add(text: string, start: number, end: number, flags: number): void {
    const isOwn = (flags & boilerplate) === 0
    if (isOwn !== this.#isOwn) this.endLine()
    this.#isOwn = isOwn
    const first = firstVisible(text, start, end)
    if (first < end && !this.#line.hasText) {
      this.#line.hasText = true
      credit.lastIndex = first
      this.#isCredit = isOwn && credit.test(text)
    }
    if (first < end) this.#chars += end - first
    if ((flags & link) === 0) this.#flags = flags
    else this.#linkChars += end - first
    this.#line.add(text, start, end)
  }

  endLine(block?: string): void {
    const line = this.#line
    const isLead = this.#block === 'div' && !this.#isBelowLink
    const linkChars = this.#linkChars
    const isLink = linkChars > this.#chars / 2 && (this.#flags & preformatted) === 0
    this.#block = block ?? this.#block
    this.#isInSection ||= block !== undefined && lowHeadings.has(block)
    this.#linkChars = 0
    this.#chars = 0
    if (!line.hasText) return void line.clear()
    this.#isBelowLink = isLink
    this.#line = this.#before
    this.#line.clear()
    this.#before = line
    if (!this.#isOwn) return
    if (isLead) this.#addLead(line, linkChars)
    this.#addBelowHeading(line)
    if (this.#isCredit) this.#addCredit(line.text())
  }

  /** The line so far, or if it has no text, the line before it where that is a label. */
  label(): string {
    const { hasText } = this.#line
    const text = (hasText ? this.#line : this.#before).text().replace(/\s+/g, ' ')
    return hasText ? text.slice(-labelEndChars) : labelOf(text.trim())
  }

  #addBelowHeading(line: Line): void {
    const { headings } = this.#metadata
    const last = headings.length > this.#full ? headings.at(-1) : undefined
    if (last === undefined) return
    last.below += `\n${line.text().trim().slice(0, belowCharsMax).replaceAll('\n', ' ')}`
    if (last.below.length >= belowCharsMax) this.#full = headings.length
  }

  #addLead(line: Line, linkChars: number): void {
    const { headings, leads, paragraphs } = this.#metadata
    const part = (this.#flags & footnote) === 0 ? partOf(this.#flags) : 'margin'
    const isCode = (this.#flags & preformatted) !== 0
    const isLate = paragraphs.article !== undefined || (paragraphs[part] ?? leads[part]) !== undefined
    const isOfSection = this.#isInSection && (this.#flags & listed) !== 0
    if (isLate || isOfSection || isCode || part === 'margin' || headings.length === 0) return

    const text = readableText(line.text(), linkChars, headings.length === 1)
    if (text === undefined || text.endsWith(':') || !sentences.test(text)) return
    leads[part] = text
    this.#metadata.isIntroduced ||= this.#metadata.articles === 0
  }

  #addCredit(line: string): void {
    const { bylines, elements } = this.#metadata
    const credits = bylines.filter(({ kind }) => kind === 'credit').length
    if (line.length <= creditCharsMax && credits < creditsMax)
      bylines.push({ kind: 'credit', text: line, names: [], at: elements, part: 'article' })
  }
}

class Line {
  hasText = false
  #size = 0
  readonly #texts: string[] = []
  readonly #starts: number[] = []
  readonly #ends: number[] = []

  add(text: string, start: number, end: number): void {
    if (this.#size === textsMax) this.#join()
    this.#texts[this.#size] = text
    this.#starts[this.#size] = start
    this.#ends[this.#size] = end
    this.#size += 1
  }

  clear(): void {
    this.hasText = false
    this.#size = 0
  }

  text(): string {
    const raw = withRaised(this.#raw())
    return raw.includes('&') ? decodeHTML(raw) : raw
  }

  #raw(): string {
    let raw = ''
    for (let at = 0; at < this.#size; at += 1)
      raw += this.#texts[at]?.slice(this.#starts[at], this.#ends[at]) ?? ''
    return raw
  }

  /** Makes one text of all. The beginning and the end of a long line are enough. */
  #join(): void {
    const raw = this.#raw()
    const text = raw.length > lineCharsMax ? raw.slice(0, belowCharsMax) + raw.slice(-labelEndChars) : raw
    this.#texts[0] = text
    this.#starts[0] = 0
    this.#ends[0] = text.length
    this.#size = 1
  }
}

function firstVisible(text: string, start: number, end: number): number {
  let at = start
  while (at < end && text.charCodeAt(at) <= space) at += 1
  return at
}

/** Returns the text of a line that is a label of the line behind it, such as `Deadline` or `Published:`, else ''. */
export function labelOf(line: string): string {
  return line.length <= labelCharsMax && !/\d/.test(line) ? line : ''
}

const lowHeadings: ReadonlySet<string> = new Set(['h3', 'h4', 'h5', 'h6'])
const space = 0x20
/** A capital letter first, and the end of a sentence. */
const sentences = /^["“‘'(]?[\p{Lu}\p{Lo}].*[.!?。](?:["”’')]?$|\s)/u
const credit = /\(?(?:reporting|writing|written) by\b/iy
const creditCharsMax = 300
const creditsMax = 5
const belowCharsMax = 500
const labelCharsMax = 30
const labelEndChars = 480
const lineCharsMax = 4_096
const textsMax = 64
