import { LRUCache } from 'lru-cache'
import { createCoalescer, type Waiter } from './waiter.ts'

export type CacheStats = ReturnType<ByteCache<object>['stats']>

export type ByteCache<Value extends {}> = ReturnType<typeof createByteCache<Value>>

const entryOverheadBytes = 200

/** An LRU cache bounded by bytes. Concurrent requests for a missing value share one computation. */
export function createByteCache<Value extends {}>(bytesMax: number, sizeOf: (value: Value) => number) {
  const kept = new LRUCache<string, Value>({
    maxSize: Math.max(1, bytesMax),
    sizeCalculation: (value, key) => sizeOf(value) + 2 * key.length + entryOverheadBytes,
  })
  const coalesce = createCoalescer<Value>()
  const coming = new Set<string>()
  let hits = 0
  let misses = 0

  function get(key: string): Value | undefined {
    const value = kept.get(key)
    if (value !== undefined) hits += 1
    return value
  }

  return {
    get,
    set: (key: string, value: Value) => void kept.set(key, value),
    has: (key: string): boolean => kept.has(key) || coming.has(key),
    /** Equal calls in flight share one `make`, which waits in queues for all of them; a failure is not cached. */
    getOrCreate(key: string, make: (waiter: Waiter) => Value | Promise<Value>, waiter?: Waiter) {
      const value = get(key)
      if (value !== undefined) return value
      let isShared = true
      function create(shared: Waiter): Value | Promise<Value> {
        isShared = false
        misses += 1
        const made = make(shared)
        if (!(made instanceof Promise)) return keep(made)
        coming.add(key)
        return made.then(keep).finally(() => coming.delete(key))
      }
      function keep(made: Value): Value {
        kept.set(key, made)
        return made
      }
      const result = coalesce(key, create, waiter)
      if (isShared) hits += 1
      return result
    },
    stats: () => ({ entries: kept.size, bytes: kept.calculatedSize, hits, misses }),
  }
}

/**
 * Approximates least recently used: a hit moves nothing. Used entries fill the young generation; when it is full it becomes
 * the old one, and what was unused in the old one is dropped. @param sizeOf bytes, key included
 */
export function createTwoGenerationCache<Value extends {}, Key extends string | number = string>(
  bytesMax: number,
  sizeOf: (value: Value, key: Key) => number,
) {
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
    get(key: Key): Value | undefined {
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

export type TwoGenerationCache<Value extends {}, Key extends string | number = string> = ReturnType<
  typeof createTwoGenerationCache<Value, Key>
>
