import { decodeHTML } from 'entities'
import { inside } from './element-flags.ts'
import { firstParagraph, type PageMetadata } from './page-metadata.ts'
import { cleanPageText, readableText, withRaised } from './page-text.ts'
import { partOf } from './read-element.ts'

const itemsMax = 12
const inList = inside.listed | inside.defined
const creditCharsMax = 300
const creditsMax = 5

/** Author and date are often in lines below a heading. */
export class PageLines {
  readonly #metadata: PageMetadata
  #line = ''
  #hasText = false
  #before = ''
  /** True if the line is a part of the page's own text, and not of a menu or the like. */
  #isOwn = true
  #isCredit = false
  #flags = 0
  /** The line before is a link, and the text below is about where that leads. */
  #isBelowLink = false
  /** A heading below those that are kept has come, and what follows is about a part of the page. */
  #isInSection = false
  #isItem = false
  #startsInLink = false
  #linkChars = 0
  #chars = 0
  #block = ''
  #full = 0

  constructor(metadata: PageMetadata) {
    this.#metadata = metadata
  }

  add(text: string, start: number, end: number, flags: number): void {
    const isOwn = (flags & inside.boilerplate) === 0
    if (isOwn !== this.#isOwn) this.endLine()
    this.#isOwn = isOwn
    const first = firstVisible(text, start, end)
    if (first < end && !this.#hasText) {
      this.#hasText = true
      this.#startsInLink = (flags & (inside.link | inside.preformatted)) === inside.link
      credit.lastIndex = first
      this.#isCredit = isOwn && credit.test(text)
    }
    if (first < end) this.#chars += end - first
    if ((flags & inside.link) === 0) this.#flags = flags
    else this.#linkChars += end - first
    this.#line += text.slice(start, end)
    // The beginning and the end of a long line are enough.
    if (this.#line.length > 2 * lineCharsMax)
      this.#line = this.#line.slice(0, lineCharsMax) + this.#line.slice(-labelEndChars)
  }

  endLine(block?: string): void {
    const [line, hasText] = [this.#line, this.#hasText]
    const isOfSection = this.#isInSection && (this.#flags & inside.listed) !== 0
    const isLead = this.#block === 'div' && !this.#isBelowLink && !isOfSection
    const linkChars = this.#linkChars
    const isItem = this.#isItem
    this.#isItem = block === 'li' || block === 'dt' || (isItem && !hasText)
    const isLink = this.#startsInLink && linkChars > this.#chars / 2
    this.#block = block ?? this.#block
    this.#isInSection ||= block !== undefined && lowHeadings.has(block)
    this.#linkChars = 0
    this.#chars = 0
    this.#line = ''
    this.#hasText = false
    if (!hasText) return
    this.#isBelowLink = isLink
    this.#before = line
    if (!this.#isOwn) return
    this.#addItem(line, isItem)
    if (isLead) this.#addLead(line, linkChars)
    this.#addBelowHeading(line)
    if (this.#isCredit) this.#addCredit(textOf(line))
  }

  /** The line so far, or if it has no text, the line before it where that is a label. */
  label(): string {
    const text = textOf(this.#hasText ? this.#line : this.#before).replace(/\s+/g, ' ')
    return this.#hasText ? text.slice(-labelEndChars) : labelOf(text.trim())
  }

  #addBelowHeading(line: string): void {
    const { headings } = this.#metadata
    const last = headings.length > this.#full ? headings.at(-1) : undefined
    // Sidebars and footers behind the text have the day of a build.
    const isBehind = (this.#flags & inside.margin) !== 0 && firstParagraph(this.#metadata) !== undefined
    if (last === undefined || isBehind) return
    const whole = textOf(line).trim()
    // Code has the days of its example.
    const isCode = (this.#flags & inside.preformatted) !== 0
    const text = (isCode ? whole.replace(/\d/g, '') : whole).slice(0, belowCharsMax)
    last.below += `\n${text.replaceAll('\n', ' ')}`
    if (last.below.length >= belowCharsMax) this.#full = headings.length
  }

  #addItem(line: string, isItem: boolean): void {
    const { leadIn } = this.#metadata
    if (leadIn === undefined || leadIn.isOver) return
    if (isItem) leadIn.items.push(cleanPageText(textOf(line)).replace(/[.,;:]$/, ''))
    leadIn.isOver = leadIn.items.length >= itemsMax || (!isItem && (this.#flags & inList) === 0)
  }

  #addLead(line: string, linkChars: number): void {
    const { headings, leads, paragraphs, laterParagraphs, isTabular } = this.#metadata
    const part = (this.#flags & (inside.footnote | inside.quoted)) === 0 ? partOf(this.#flags) : 'margin'
    const isCode = (this.#flags & inside.preformatted) !== 0
    const isLate = paragraphs.article !== undefined || (paragraphs[part] ?? leads[part]) !== undefined
    if (isLate || isTabular || isCode || part === 'margin' || headings.length === 0) return

    purpose.lastIndex = 0
    const [, name] = purpose.exec(line) ?? []
    const isPurpose = name !== undefined && headings.at(-1)?.text.trimEnd().endsWith(name) === true
    const text = readableText(textOf(line), linkChars, headings.length === 1 || isPurpose)
    if (text === undefined || text.endsWith(':')) return
    if (!isPurpose && !sentences.test(text)) {
      if (phrase.test(text) && laterParagraphs.length === 0) laterParagraphs.push(text)
      return
    }
    leads[part] = text
    this.#metadata.sections.set(text, headings.length)
    this.#metadata.isIntroduced ||= this.#metadata.articles === 0
  }

  #addCredit(line: string): void {
    const { bylines, elements } = this.#metadata
    const credits = bylines.filter(({ kind }) => kind === 'credit').length
    if (line.length <= creditCharsMax && credits < creditsMax)
      bylines.push({ kind: 'credit', text: line, names: [], at: elements, part: 'article' })
  }
}

function textOf(line: string): string {
  const raw = withRaised(line)
  return raw.includes('&') ? decodeHTML(raw) : raw
}

function firstVisible(text: string, start: number, end: number): number {
  let at = start
  while (at < end && text.charCodeAt(at) <= space) at += 1
  return at
}

/** Returns the text of a line that is a label of the line behind it, such as `Deadline` or `Published:`, else ''. */
export function labelOf(line: string): string {
  return line.length <= 30 && !/\d/.test(line) ? line : ''
}

const lowHeadings: ReadonlySet<string> = new Set(['h3', 'h4', 'h5', 'h6'])
const space = 0x20
/** A capital letter first, and the end of a sentence. */
const sentences = /^["“‘'(]?[\p{Lu}\p{Lo}].*[.!?。](?:["”’')]?$|\s)/u
/** The name of what a page is about, and what that does: `F2L - Convert float to long`. */
const purpose = /\s*(\S{2,40}) [-–—] \p{L}/uy
/** More words in a row than a label has. */
const phrase = /^\p{Lu}.*(?: \p{Ll}+){4}/u
const credit = /\(?(?:reporting|writing|written) by\b/iy
const belowCharsMax = 500
const labelEndChars = 480
const lineCharsMax = 4_096
