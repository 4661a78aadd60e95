/** A part of a cache whose keys are its own. It may be kept as long as the cache. */
export interface CacheSection<Value, Key = string> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
}

interface Generations<Value, Key> {
  young: Map<Key, Value>
  old: Map<Key, Value>
}

/**
 * Cache bounded by bytes that approximates least recently used: a hit costs one look-up and moves nothing.
 * New and used entries fill the young generation. When it is full it becomes the old one, and the previous old one,
 * whose entries were not used since, is dropped. Sections share the bytes and the generations.
 * @param sizeOf bytes of an entry, its key included
 */
export function createTwoGenerationCache<Value extends {}, Key extends string | number = string>(
  bytesMax: number,
  sizeOf: (value: Value, key: Key) => number,
) {
  let sections = new Map<string, Generations<Value, Key>>()
  let turns = 0
  let youngBytes = 0
  let oldBytes = 0

  function startGeneration(): void {
    const kept = new Map<string, Generations<Value, Key>>()
    for (const [name, { young }] of sections)
      if (young.size > 0) kept.set(name, { young: new Map(), old: young })
    sections = kept
    turns++
    oldBytes = youngBytes
    youngBytes = 0
  }

  function generationsOf(name: string): Generations<Value, Key> {
    const found = sections.get(name) ?? { young: new Map(), old: new Map() }
    sections.set(name, found)
    return found
  }

  function section(name: string): CacheSection<Value, Key> {
    let own = generationsOf(name)
    let ownTurns = turns

    function current(): Generations<Value, Key> {
      if (ownTurns !== turns) {
        own = generationsOf(name)
        ownTurns = turns
      }
      return own
    }

    function set(key: Key, value: Value): void {
      const bytes = sizeOf(value, key)
      if (bytes > bytesMax / 2) return
      if (youngBytes + bytes > bytesMax / 2) startGeneration()
      current().young.set(key, value)
      youngBytes += bytes
    }

    return {
      get(key) {
        const { young, old } = current()
        const value = young.get(key)
        if (value !== undefined) return value
        const kept = old.get(key)
        if (kept !== undefined) set(key, kept)
        return kept
      },
      set,
    }
  }

  return { ...section(''), section, bytes: (): number => youngBytes + oldBytes }
}
