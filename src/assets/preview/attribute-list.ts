/** The attributes of one element. Valid only while it is read: the reader reuses the list for the next element. */
export type Attributes = Pick<AttributeList, 'get' | 'has' | 'matches' | 'size'>

/** Elements have few attributes, so a linear search is faster than a map. One list serves a whole page. */
export class AttributeList {
  size = 0
  readonly #names: string[] = []
  readonly #values: string[] = []

  get(name: string): string | undefined {
    for (let index = 0; index < this.size; index += 1)
      if (this.#names[index] === name) return this.#values[index]
    return undefined
  }

  has(name: string): boolean {
    return this.get(name) !== undefined
  }

  /** Whether the attribute is present and matches the pattern. */
  matches(name: string, pattern: RegExp): boolean {
    const value = this.get(name)
    return value !== undefined && pattern.test(value)
  }

  /** Adds an attribute whose name is not in the list yet. */
  add(name: string, value: string): void {
    this.#names[this.size] = name
    this.#values[this.size] = value
    this.size += 1
  }

  clear(): void {
    this.size = 0
  }
}
