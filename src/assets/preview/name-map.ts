/**
 * A map that looks up a part of a text without creating a string for it, regardless of the case of ASCII letters. A page
 * has thousands of names of tags, attributes and classes, and most are in no map.
 */
export class NameMap<Value> {
  /** Entries by first letter and length. */
  readonly #buckets: (Entry<Value>[] | undefined)[] = Array.from({ length: letters * lengths })

  constructor(entries: Iterable<readonly [name: string, value: Value]>) {
    for (const [name, value] of entries) {
      const index = indexOf(name, 0, name.length)
      const bucket = this.#buckets[index]
      if (bucket === undefined) this.#buckets[index] = [{ name, value }]
      else if (bucket.every((entry) => entry.name !== name)) bucket.push({ name, value })
    }
  }

  /** Returns the value of the name from `start` to `end` of the text. */
  get(text: string, start: number, end: number): Value | undefined {
    const bucket = this.#buckets[indexOf(text, start, end)]
    if (bucket !== undefined)
      for (const entry of bucket) if (isName(entry.name, text, start, end)) return entry.value
    return undefined
  }
}

interface Entry<Value> {
  readonly name: string
  readonly value: Value
}

const letters = 32
/** Longer names are in one bucket. */
const lengths = 24

function indexOf(text: string, start: number, end: number): number {
  return (text.charCodeAt(start) & (letters - 1)) * lengths + Math.min(end - start, lengths - 1)
}

function isName(name: string, text: string, start: number, end: number): boolean {
  if (name.length !== end - start) return false
  for (let at = 0; at < name.length; at += 1) {
    const code = text.charCodeAt(start + at)
    const lower = code >= capitalA && code <= capitalA + 25 ? code + 32 : code
    if (name.charCodeAt(at) !== lower) return false
  }
  return true
}

const capitalA = 0x41
