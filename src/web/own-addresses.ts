import { networkInterfaces } from 'node:os'
import { canonicalAddress, createAddressPolicy } from './address-policy.ts'

/** Knows the addresses of this machine, loopback included. */
export interface OwnAddresses {
  includes(address: string): boolean
}

export function createOwnAddresses(): OwnAddresses {
  const loopback = createAddressPolicy(['127.0.0.0/8', '::1/128'])
  let known = new Set<string | null>()
  let readAt = Number.NEGATIVE_INFINITY
  return {
    includes(address) {
      if (performance.now() - readAt > refreshMs) {
        readAt = performance.now()
        known = new Set(interfaceAddresses())
      }
      return loopback.isAllowlisted(address) || known.has(canonicalAddress(address))
    },
  }
}

const refreshMs = 60_000

function interfaceAddresses(): (string | null)[] {
  return Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address }) => canonicalAddress(address)),
  )
}
