import { decodeHTML } from 'entities'
import { labelOf } from './label.ts'

/** The last few texts of a page as places, since most of them nobody asks for. */
export class RecentTexts {
  readonly #texts: string[] = Array.from({ length: count }, () => '')
  readonly #starts = new Uint32Array(count)
  readonly #ends = new Uint32Array(count)
  /** The number of the line that each text is in. */
  readonly #lines = new Uint32Array(count)
  #line = 0
  #last = 0
  #hasTagBehind = true

  add(text: string, start: number, end: number): void {
    // A text that arrives in pieces is one text.
    if (!this.#hasTagBehind) {
      const whole = this.#raw(this.#last) + text.slice(start, end)
      this.#set(this.#last, whole, 0, whole.length)
      return
    }
    this.#hasTagBehind = false
    this.#last = (this.#last + 1) % count
    this.#set(this.#last, text, start, end)
  }

  #set(at: number, text: string, start: number, end: number): void {
    this.#texts[at] = text
    this.#starts[at] = start
    this.#ends[at] = end
    this.#lines[at] = this.#line
  }

  endText(): void {
    this.#hasTagBehind = true
  }

  endLine(): void {
    this.#line += 1
  }

  /** The end of this line so far, or if there is none, the line before it where that is a label. */
  label(): string {
    let own = ''
    let before = ''
    let lineBefore: number | undefined
    for (let back = 0; back < count; back += 1) {
      const at = (this.#last + count - back) % count
      const text = decodeHTML(this.#raw(at))
      if (text.trim() === '') continue
      const line = this.#lines[at]
      if (line === this.#line) own = text + own
      else if (lineBefore === undefined || lineBefore === line) {
        lineBefore = line
        before = text + before
      }
    }
    return own === '' ? labelOf(before.replace(/\s+/g, ' ').trim()) : own
  }

  #raw(at: number): string {
    const [start = 0, end = 0] = [this.#starts[at], this.#ends[at]]
    return (this.#texts[at] ?? '').slice(Math.max(start, end - charsMax), end)
  }
}

/** Elements are indented: half of the texts are white space. */
const count = 8
const charsMax = 60
