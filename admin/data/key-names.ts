import { LRUCache } from 'lru-cache'
import type { Keys } from '../../src/access/keys.ts'
import { isKeyId } from '../../src/access/keys.ts'

export type KeyNames = ReturnType<typeof createKeyNames>

/** A renamed key may have its old name in lists for so long. */
const cachedMs = 10_000
const namesMax = 1_000

/** Names of keys for lists, cached for a moment. A key without a name, and one that is not there, has its id. */
export function createKeyNames(keys: Pick<Keys, 'find'>) {
  const names = new LRUCache<string, string>({ max: namesMax, ttl: cachedMs })

  async function load(ids: Iterable<string>): Promise<void> {
    for (const id of new Set(ids)) {
      if (names.has(id) || !isKeyId(id)) continue
      names.set(id, (await keys.find(id))?.name || id)
    }
  }

  return {
    load,
    /** The name as far as it is known now. */
    nameOf: (id: string): string => names.get(id) ?? id,
  }
}
