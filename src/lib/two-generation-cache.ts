/**
 * Cache bounded by bytes that approximates least recently used: a hit costs one look-up and moves nothing.
 * New and used entries fill the young generation. When it is full it becomes the old one, and the previous old one,
 * whose entries were not used since, is dropped.
 * @param sizeOf bytes of an entry, its key included
 */
export function createTwoGenerationCache<Value extends {}, Key extends string | number = string>(
  bytesMax: number,
  sizeOf: (value: Value, key: Key) => number,
): TwoGenerationCache<Value, Key> {
  let young = new Map<Key, Value>()
  let old = young
  let youngBytes = 0
  let oldBytes = 0

  function set(key: Key, value: Value): void {
    const bytes = sizeOf(value, key)
    if (bytes > bytesMax / 2) return
    if (youngBytes + bytes > bytesMax / 2) {
      old = young
      oldBytes = youngBytes
      young = new Map()
      youngBytes = 0
    }
    young.set(key, value)
    youngBytes += bytes
  }

  return {
    get(key) {
      const value = young.get(key)
      if (value !== undefined) return value
      const kept = old.get(key)
      if (kept !== undefined) set(key, kept)
      return kept
    },
    set,
    bytes: () => youngBytes + oldBytes,
  }
}

export interface TwoGenerationCache<Value, Key = string> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
  bytes(): number
}
