import { LRUCache } from 'lru-cache'
import type { Chain } from './chain.ts'
import type { Hex } from './settings.ts'

/** Whether there is a contract at an address; what was found is cached for a minute. */
export interface CodeLookup {
  hasCode(address: Hex): Promise<boolean>
}

const addressesMax = 20_000
const cachedMs = 60_000

export function createCodeLookup(chain: Pick<Chain, 'code'>): CodeLookup {
  const found = new LRUCache<Hex, Promise<boolean>>({ max: addressesMax, ttl: cachedMs })
  return {
    hasCode(address) {
      const name = address.toLowerCase() as Hex
      const known = found.get(name)
      if (known !== undefined) return known
      const asked = chain.code(name).then((code) => code !== '0x')
      found.set(name, asked)
      // Failing to ask tells nothing about the address.
      asked.catch(() => found.delete(name))
      return asked
    },
  }
}
