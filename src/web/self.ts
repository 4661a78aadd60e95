import { networkInterfaces } from 'node:os'
import { canonicalAddress, createAddressPolicy } from './addresses.ts'

/** Knows the addresses of this machine, loopback included. */
export interface OwnAddresses {
  includes(address: string): boolean
}

export const createOwnAddresses = (): OwnAddresses => {
  const loopback = createAddressPolicy(['127.0.0.0/8', '::1/128'])
  let known = new Set<string | null>()
  let readAt = Number.NEGATIVE_INFINITY
  return {
    includes(address) {
      if (performance.now() - readAt > REFRESH_MS) {
        readAt = performance.now()
        known = new Set(interfaceAddresses())
      }
      return loopback.allowsByName(address) || known.has(canonicalAddress(address))
    },
  }
}

const REFRESH_MS = 60_000

const interfaceAddresses = (): (string | null)[] =>
  Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address }) => canonicalAddress(address)),
  )
