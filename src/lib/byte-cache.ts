import { LRUCache } from 'lru-cache'

/** An LRU cache bounded by bytes. Concurrent requests for a missing value share one computation. */
export interface ByteCache<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  /** The cached value, or the result of `make`. Equal calls in flight share one `make`; a failure is not cached. */
  getOrCreate(key: string, make: () => Value | Promise<Value>): Value | Promise<Value>
  stats(): CacheStats
}

export interface CacheStats {
  readonly entries: number
  readonly bytes: number
  readonly hits: number
  readonly misses: number
}

export interface ByteCacheOptions<Value> {
  readonly bytesMax: number
  readonly sizeOf: (value: Value) => number
}

/** Memory of an entry beside its value and its key. */
const entryOverheadBytes = 200

export function createByteCache<Value extends {}>({
  bytesMax,
  sizeOf,
}: ByteCacheOptions<Value>): ByteCache<Value> {
  function sizeCalculation(value: Value, key: string) {
    return sizeOf(value) + 2 * key.length + entryOverheadBytes
  }
  const kept = new LRUCache<string, Value>({ maxSize: Math.max(1, bytesMax), sizeCalculation })
  const making = new Map<string, Promise<Value>>()
  let hits = 0
  let misses = 0

  function get(key: string): Value | undefined {
    const value = kept.get(key)
    if (value !== undefined) hits += 1
    return value
  }

  return {
    get,
    set: (key, value) => void kept.set(key, value),
    getOrCreate(key, make) {
      const value = get(key)
      if (value !== undefined) return value
      const shared = making.get(key)
      if (shared !== undefined) {
        hits += 1
        return shared
      }
      misses += 1
      const made = make()
      if (!(made instanceof Promise)) {
        kept.set(key, made)
        return made
      }
      const coming = made
        .then((value) => {
          kept.set(key, value)
          return value
        })
        .finally(() => making.delete(key))
      making.set(key, coming)
      return coming
    },
    stats: () => ({ entries: kept.size, bytes: kept.calculatedSize, hits, misses }),
  }
}
