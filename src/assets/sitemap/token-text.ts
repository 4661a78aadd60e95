/** The text around the tokens of a tokenizer, which tells only their places in the file. */
export class TokenText {
  #text = ''
  /** Place of its first character in the file. */
  #at = 0

  /** Adds a piece of the file. Keeps the end of the one before, where a name may begin. */
  add(piece: string): void {
    const kept = this.#text.slice(-keptChars)
    this.#at += this.#text.length - kept.length
    this.#text = kept + piece
  }

  /** Returns the first characters of a token, or an empty string if it began too long ago. */
  slice(start: number, end: number, charsMax: number): string {
    const from = start - this.#at
    return from < 0 ? '' : this.#text.slice(from, Math.min(end - this.#at, from + Math.max(0, charsMax)))
  }
}

/** More than the longest name or value of use. */
const keptChars = 8_192
