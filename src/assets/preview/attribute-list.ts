import { decodeHTMLAttribute } from 'entities'

/** The attributes of one element. Valid only while it is read: the reader reuses the list for the next element. */
export type Attributes = Pick<AttributeList, 'get' | 'has' | 'matches' | 'inPlace' | 'size' | 'bits'>

/**
 * Elements have few attributes, so a linear search is faster than a map. One list serves a whole page. Most values are
 * not needed: they are cut out of the page and decoded on demand.
 */
export class AttributeList {
  size = 0
  /** Union of the names' bits, as in `attributeNames`. */
  bits = 0
  readonly #names: string[] = []
  readonly #texts: string[] = []
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  readonly #values: (string | undefined)[] = []

  /** Not split: the engine would inline a shorter function into each of its forty callers. */
  get(name: string): string | undefined {
    let index = 0
    while (index < this.size && this.#names[index] !== name) index += 1
    if (index === this.size) return undefined
    const cached = this.#values[index]
    if (cached !== undefined) return cached
    const [text = '', start = 0, end = 0] = [this.#texts[index], this.#starts[index], this.#ends[index]]
    const raw = text.slice(start, Math.min(end, start + rawValueCharsMax))
    const decoded = raw.includes('&') ? decodeHTMLAttribute(raw) : raw
    const value = decoded.length > valueCharsMax ? decoded.slice(0, valueCharsMax) : decoded
    this.#values[index] = value
    return value
  }

  has(name: string): boolean {
    return this.#indexOf(name) >= 0
  }

  /** Whether the attribute is present and matches the pattern. */
  matches(name: string, pattern: RegExp): boolean {
    const value = this.get(name)
    return value !== undefined && pattern.test(value)
  }

  /** Reads a value where it stands, with its character references. Returns undefined without that attribute. */
  inPlace<Value>(name: string, read: (text: string, start: number, end: number) => Value): Value | undefined {
    const index = this.#indexOf(name)
    if (index < 0) return undefined
    return read(this.#texts[index] ?? '', this.#starts[index] ?? 0, this.#ends[index] ?? 0)
  }

  /** Adds an attribute whose name is not in the list yet. */
  add(name: string, bit: number, text: string, start: number, end: number): void {
    const index = this.size
    this.#names[index] = name
    this.#texts[index] = text
    this.#starts[index] = start
    this.#ends[index] = end
    this.#values[index] = undefined
    this.bits |= bit
    this.size += 1
  }

  clear(): void {
    this.size = 0
    this.bits = 0
  }

  #indexOf(name: string): number {
    for (let index = 0; index < this.size; index += 1) if (this.#names[index] === name) return index
    return -1
  }
}

/** Longest value of one attribute or text, after decoding. */
export const valueCharsMax = 8_192
/** Before decoding: a reference for one character has about eight, such as `&#x1F389;`. */
export const rawValueCharsMax = 8 * valueCharsMax
