import type { PageMetadata } from './page-metadata.ts'

/**
 * Follows the lines of text of a page: author and date are often in the lines below a heading, a label is in front of its
 * date, and an article may end with a credit such as `(Reporting by Ann Lee; Editing by Bo Chan)`.
 */
export class PageLines {
  readonly #metadata: PageMetadata
  #line = ''
  /** Whether the line is more than white space. */
  #hasText = false
  #isCredit = false
  /** The last line that had a text. */
  #before = ''
  /** Whether the line is a part of the page's own text, and not of a menu or the like. */
  #isOwn = true
  /** How many headings have enough text below. */
  #full = 0

  constructor(metadata: PageMetadata) {
    this.#metadata = metadata
  }

  add(text: string, isOwn: boolean): void {
    if (isOwn !== this.#isOwn) this.endLine()
    this.#isOwn = isOwn
    if (text !== ' ' && !this.#hasText) {
      this.#hasText = true
      this.#isCredit = isOwn && credit.test(text)
    }
    this.#line += text
    if (this.#line.length > lineCharsMax)
      this.#line = this.#line.slice(0, belowCharsMax) + this.#line.slice(-labelEndChars)
  }

  endLine(): void {
    const line = this.#line
    this.#line = ''
    if (!this.#hasText) return
    this.#hasText = false
    this.#before = line
    if (!this.#isOwn) return
    this.#addBelowHeading(line)
    if (this.#isCredit) this.#addCredit(line)
  }

  /** The line so far, or if it has no text, the line before it where that is a label. */
  label(): string {
    const text = (this.#hasText ? this.#line.slice(-labelEndChars) : this.#before).replace(/\s+/g, ' ')
    return this.#hasText ? text : labelOf(text.trim())
  }

  #addBelowHeading(line: string): void {
    const { headings } = this.#metadata
    const last = headings.length > this.#full ? headings.at(-1) : undefined
    if (last === undefined) return
    last.below += `\n${line.trim().slice(0, belowCharsMax).replaceAll('\n', ' ')}`
    if (last.below.length >= belowCharsMax) this.#full = headings.length
  }

  #addCredit(line: string): void {
    const { bylines, elements } = this.#metadata
    const credits = bylines.filter(({ kind }) => kind === 'credit').length
    if (line.length <= creditCharsMax && credits < creditsMax)
      bylines.push({ kind: 'credit', text: line, names: [], at: elements, part: 'article' })
  }
}

/** Returns the text of a line that is a label of the line behind it, such as `Deadline` or `Published:`, else ''. */
export function labelOf(line: string): string {
  return line.length <= labelCharsMax && !/\d/.test(line) ? line : ''
}

const credit = /^\s*\(?(?:reporting|writing|written) by\b/i
const creditCharsMax = 300
const creditsMax = 5
/** Below one heading. */
const belowCharsMax = 500
const labelCharsMax = 30
/** The words nearest to a date. */
const labelEndChars = 480
const lineCharsMax = 4_096
