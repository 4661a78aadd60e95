import { LRUCache } from 'lru-cache'
import type { Hex } from '../payment-settings.ts'
import type { Chain } from './chain.ts'

/** Whether there is a contract at an address. Cached. */
export interface CodeLookup {
  hasCode(address: Hex): Promise<boolean>
  /** Whether the cache has it that there is none. */
  hasNone(address: Hex): boolean
}

const addressesMax = 20_000
const cachedMs = { contract: 60_000, none: 10_000 }

export function createCodeLookup(chain: Pick<Chain, 'code'>): CodeLookup {
  const empty = new LRUCache<Hex, true>({ max: addressesMax, ttl: cachedMs.none })
  const found = new LRUCache<Hex, Promise<boolean>>({ max: addressesMax, ttl: cachedMs.contract })
  return {
    hasNone: (address) => empty.has(address.toLowerCase() as Hex),
    hasCode(address) {
      const name = address.toLowerCase() as Hex
      const stored = found.get(name)
      if (stored !== undefined) return stored
      const asked = chain.code(name).then((code) => code !== '0x')
      found.set(name, asked)
      asked.then(
        // Cached shorter: a contract may be deployed soon.
        (isContract) => {
          if (isContract) return
          empty.set(name, true)
          found.set(name, asked, { ttl: cachedMs.none })
        },
        // A failed request tells nothing about the address.
        () => found.delete(name),
      )
      return asked
    },
  }
}
