import { LRUCache } from 'lru-cache'
import type { Hex } from '../payment-settings.ts'
import type { Chain } from './chain.ts'

const addressesMax = 20_000
const cachedMs = { contract: 60_000, none: 10_000 }

/** Whether there is a contract at an address, in lower case. Cached. */
export function createCodeLookup(chain: Chain) {
  const empty = new LRUCache<Hex, true>({ max: addressesMax, ttl: cachedMs.none })
  const found = new LRUCache<Hex, Promise<boolean>>({ max: addressesMax, ttl: cachedMs.contract })
  return {
    /** Whether the cache has it that there is none. */
    hasNone: (address: Hex) => empty.has(address),
    hasCode(address: Hex): Promise<boolean> {
      const stored = found.get(address)
      if (stored !== undefined) return stored
      const asked = chain.code(address).then((code) => code !== '0x')
      found.set(address, asked)
      asked.then(
        // Cached shorter: a contract may be deployed soon.
        (isContract) => {
          if (isContract) return
          empty.set(address, true)
          found.set(address, asked, { ttl: cachedMs.none })
        },
        // A failed request tells nothing about the address.
        () => found.delete(address),
      )
      return asked
    },
  }
}
