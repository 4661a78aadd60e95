import type { Heading } from './page-metadata.ts'

/** Collects the lines below each heading of a page: they may have author and date. */
export class HeadingLines {
  readonly #headings: readonly Heading[]
  /** How many headings have enough text below. */
  #full = 0
  /** The separator before the next text. */
  #gap: '' | ' ' | '\n' = ''

  constructor(headings: readonly Heading[]) {
    this.#headings = headings
  }

  areWanted(): boolean {
    return this.#headings.length > this.#full
  }

  add(text: string): void {
    const last = this.areWanted() ? this.#headings.at(-1) : undefined
    if (last === undefined) return
    const words = text.trim()
    if (this.#gap === '' && (words === '' || isSpace(text, 0))) this.#gap = ' '
    if (words === '') return
    last.below += `${this.#gap}${words.slice(0, charsMax).replaceAll('\n', ' ')}`
    this.#gap = isSpace(text, text.length - 1) ? ' ' : ''
    if (last.below.length >= charsMax) this.#full = this.#headings.length
  }

  endLine(): void {
    if (this.areWanted()) this.#gap = '\n'
  }
}

function isSpace(text: string, at: number): boolean {
  return text.charCodeAt(at) <= 0x20
}

const charsMax = 500
