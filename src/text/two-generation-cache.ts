/** Keeps what was used lately, within a number of bytes. Finding costs one look-up and no order is kept. */
export interface TwoGenerationCache<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  bytes(): number
}

/**
 * What is new or used fills one half; when that is full, it becomes the other half, whose unused rest is let go.
 * @param sizeOf bytes of an entry, its key included
 */
export function createTwoGenerationCache<Value extends {}>(
  bytesMax: number,
  sizeOf: (value: Value, key: string) => number,
): TwoGenerationCache<Value> {
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
