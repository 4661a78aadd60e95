import type { SubstringMap } from './substring-map.ts'

/** The newest piece of a text that arrives in pieces, and enough of the one before to cut out what began there. */
export class TextWindow {
  #previous = ''
  #current = ''
  #currentAt = 0

  advance(text: string): void {
    this.#currentAt += this.#current.length
    this.#previous =
      this.#previous.length + this.#current.length < keptCharsMin
        ? this.#previous + this.#current
        : this.#current
    this.#current = text
  }

  /** Returns the text between two positions, counted from the beginning of the whole text. */
  slice(start: number, end: number): string {
    const at = this.#currentAt
    if (start >= at) return this.#current.slice(start - at, end - at)
    const kept = this.#previous.length
    return (this.#previous + this.#current).slice(Math.max(0, start - at + kept), end - at + kept)
  }

  /** Looks up the name between two positions. */
  find<T>(map: SubstringMap<T>, start: number, end: number): T | undefined {
    const at = this.#currentAt
    if (start >= at) return map.get(this.#current, start - at, end - at)
    const name = this.slice(start, end)
    return map.get(name, 0, name.length)
  }
}

const keptCharsMin = 1_024
