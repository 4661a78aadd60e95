/**
 * Cache bounded by bytes that approximates least recently used: a hit costs one look-up and moves nothing.
 * New and used entries fill the young generation. When it is full it becomes the old one, and the previous old one,
 * whose entries were not used since, is dropped.
 * @param sizeOf bytes of an entry, its key included
 */
export function createTwoGenerationCache<Value extends {}>(
  bytesMax: number,
  sizeOf: (value: Value, key: string) => number,
) {
  let young = new Map<string, Value>()
  let youngBytes = 0
  let old = new Map<string, Value>()
  let oldBytes = 0

  function set(key: string, value: Value): void {
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
    get(key: string): Value | undefined {
      const value = young.get(key)
      if (value !== undefined) return value
      const kept = old.get(key)
      if (kept !== undefined) set(key, kept)
      return kept
    },
    set,
    bytes: (): number => youngBytes + oldBytes,
  }
}
