/** The attributes of one element, as long as it is being looked at: the next element has the same list. */
export type Attributes = Pick<AttributeList, 'get' | 'has' | 'matches' | 'size'>

/** Elements have few attributes: to look through them is faster than a map, and one list serves a whole page. */
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

  /** Whether it is there, and is such a text. */
  matches(name: string, pattern: RegExp): boolean {
    const value = this.get(name)
    return value !== undefined && pattern.test(value)
  }

  /** Of a name that is not yet there. */
  add(name: string, value: string): void {
    this.#names[this.size] = name
    this.#values[this.size] = value
    this.size += 1
  }

  clear(): void {
    this.size = 0
  }
}
