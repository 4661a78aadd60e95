/**
 * Values by name, whatever the case of its ASCII letters. A name is looked up where it stands in a text: pages have
 * thousands, and to cut each one out would cost more than all that is done with it.
 */
export class SubstringMap<T> {
  readonly #slots: (Slot<T> | undefined)[]
  readonly #most: number
  #size = 0

  /** @param most how many names it holds */
  constructor(most: number) {
    this.#most = most
    this.#slots = new Array(2 ** Math.ceil(Math.log2(2 * most)))
  }

  get isFull(): boolean {
    return this.#size >= this.#most
  }

  /** The value of the name from `start` to `end`. */
  get(text: string, start: number, end: number): T | undefined {
    const hash = hashOf(text, start, end)
    const slots = this.#slots
    for (let at = hash & (slots.length - 1); ; at = (at + 1) & (slots.length - 1)) {
      const slot = slots[at]
      if (slot === undefined) return undefined
      if (slot.hash === hash && isName(slot.name, text, start, end)) return slot.value
    }
  }

  /** Adds a name in lower case that is not there. */
  add(name: string, value: T): void {
    if (this.isFull) throw new Error('The table of names is full.')
    const hash = hashOf(name, 0, name.length)
    let at = hash & (this.#slots.length - 1)
    while (this.#slots[at] !== undefined) at = (at + 1) & (this.#slots.length - 1)
    this.#slots[at] = { name, hash, value }
    this.#size += 1
  }
}

interface Slot<T> {
  readonly name: string
  readonly hash: number
  readonly value: T
}

function hashOf(text: string, start: number, end: number): number {
  let hash = 0
  for (let at = start; at < end; at += 1) hash = (Math.imul(hash, 31) + lowered(text.charCodeAt(at))) | 0
  return hash
}

function isName(name: string, text: string, start: number, end: number): boolean {
  if (name.length !== end - start) return false
  for (let at = 0; at < name.length; at += 1)
    if (name.charCodeAt(at) !== lowered(text.charCodeAt(start + at))) return false
  return true
}

function lowered(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code
}
