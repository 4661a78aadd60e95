/**
 * A hash map that looks up a part of a text without creating a string for it, regardless of the case of ASCII letters.
 * A page has thousands of tag and attribute names; cutting out each one would cost more than all that is done with it.
 */
export class SubstringMap<T> {
  readonly #slots: (Slot<T> | undefined)[]
  readonly #sizeMax: number
  #size = 0
  /** For each first letter, one bit for each length of a name. */
  readonly #lengths = new Int32Array(32)

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax
    this.#slots = new Array(2 ** Math.ceil(Math.log2(2 * sizeMax)))
  }

  get isFull(): boolean {
    return this.#size >= this.#sizeMax
  }

  get size(): number {
    return this.#size
  }

  /** Returns the value under the name from `start` to `end` of the text. */
  get(text: string, start: number, end: number): T | undefined {
    const lengths = this.#lengths[text.charCodeAt(start) & lettersMask] ?? 0
    if (((lengths >>> Math.min(end - start, lengthMax)) & 1) === 0) return undefined
    const hash = hashOf(text, start, end)
    const slots = this.#slots
    for (let at = hash & (slots.length - 1); ; at = (at + 1) & (slots.length - 1)) {
      const slot = slots[at]
      if (slot === undefined) return undefined
      if (slot.hash === hash && isName(slot.name, text, start, end)) return slot.value
    }
  }

  /** Adds a lower-case name that is not in the map yet. Throws if the map is full. */
  add(name: string, value: T): void {
    if (this.isFull) throw new Error('The map is full.')
    const hash = hashOf(name, 0, name.length)
    let at = hash & (this.#slots.length - 1)
    while (this.#slots[at] !== undefined) at = (at + 1) & (this.#slots.length - 1)
    this.#slots[at] = { name, hash, value }
    this.#size += 1
    const letter = name.charCodeAt(0) & lettersMask
    this.#lengths[letter] = (this.#lengths[letter] ?? 0) | (1 << Math.min(name.length, lengthMax))
  }
}

/** Masks the code of a letter to its place in the alphabet, for small and capital letters alike. */
const lettersMask = 31
/** Longer names count as this long. */
const lengthMax = 31

interface Slot<T> {
  readonly name: string
  readonly hash: number
  readonly value: T
}

/** Hashes the length and three letters. Names with equal hashes are compared in full. */
function hashOf(text: string, start: number, end: number): number {
  const first = lowered(text.charCodeAt(start))
  const middle = lowered(text.charCodeAt((start + end) >> 1))
  const last = lowered(text.charCodeAt(end - 1))
  return ((first * 31 + middle) * 31 + last) * 31 + end - start
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
