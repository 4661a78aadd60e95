import type { PageMetadata } from './page-metadata.ts'

/** Finds lines below an article that name its author: `(Reporting by Ann Lee; Editing by Bo Chan)`, `Written by Ann Lee`. */
export class CreditCollector {
  readonly #metadata: PageMetadata
  #line = ''

  constructor(metadata: PageMetadata) {
    this.#metadata = metadata
  }

  /** Called for every text of a page, so it looks at one letter first. */
  isListening(text: string, start: number, end: number): boolean {
    if (this.#line !== '') return true
    if (end - start < beginningCharsMin) return false
    let at = start
    while (at < end && text.charCodeAt(at) <= space) at += 1
    // Reading behind the end of a text has the engine compile the function again.
    const first = at < end ? text.charCodeAt(at) : 0
    if (first !== bracket && (first | 0x20) !== smallR && (first | 0x20) !== smallW) return false
    beginning.lastIndex = at
    return beginning.test(text)
  }

  add(text: string): void {
    if (this.#line === '' && !this.isListening(text, 0, text.length)) return
    if (this.#line.length <= lineCharsMax) this.#line += text.slice(0, lineCharsMax)
  }

  endLine(): void {
    if (this.#line === '') return
    const { bylines, elements } = this.#metadata
    const credits = bylines.filter(({ kind }) => kind === 'credit').length
    if (this.#line.length <= lineCharsMax && credits < creditsMax)
      bylines.push({ kind: 'credit', text: this.#line, names: [], at: elements, part: 'article' })
    this.#line = ''
  }
}

const bracket = 0x28
const smallR = 0x72
const smallW = 0x77
const beginningCharsMin = 'Written by'.length
const beginning = /\(?(?:reporting|writing|written) by\b/iy
const space = 0x20
const lineCharsMax = 300
const creditsMax = 5
