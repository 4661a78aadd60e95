import { LRUCache } from 'lru-cache'
import type { KeyReading, KeyTable } from '../store/keys.ts'

/** A key as it was read last. */
export interface CachedKey {
  readonly row: KeyReading
  /** Readings are numbered in the order in which they began. */
  readonly reading: number
  /** What the key had used when one of its calls was decided last. */
  used: number
}

export type KeyCache = ReturnType<typeof createKeyCache>

const cachedKeysMax = 10_000

/**
 * Keys that were read from the database. A cached key grants nothing by itself: somebody has to know that it has not
 * changed since.
 */
export function createKeyCache(keys: Pick<KeyTable, 'read'>) {
  const cache = new LRUCache<string, CachedKey>({ max: cachedKeysMax })
  let readings = 0

  return {
    get: (id: string): CachedKey | undefined => cache.get(id),
    async read(id: string): Promise<CachedKey | undefined> {
      readings += 1
      const reading = readings
      const row = await keys.read(id)
      if (row === undefined) return undefined
      const known = cache.get(id)
      // Of two readings the one that began first may end last.
      if (known !== undefined && known.reading > reading) return known
      const key = { row, reading, used: 0 }
      cache.set(id, key)
      return key
    },
  }
}
