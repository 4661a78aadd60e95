import { networkInterfaces } from 'node:os'
import { canonicalAddress, createAddressPolicy } from './address-policy.ts'

/** Returns a test whether an address is one of this machine, loopback included. */
export function createOwnAddressCheck(): (address: string) => boolean {
  const loopback = createAddressPolicy(['127.0.0.0/8', '::1/128'])
  let addresses = new Set<string | undefined>()
  let readAt = Number.NEGATIVE_INFINITY
  return (address) => {
    if (performance.now() - readAt > refreshMs) {
      readAt = performance.now()
      addresses = new Set(interfaceAddresses())
    }
    return loopback.isAllowlisted(address) || addresses.has(canonicalAddress(address))
  }
}

const refreshMs = 60_000

function interfaceAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).flatMap(({ address }) => canonicalAddress(address) ?? []),
  )
}
