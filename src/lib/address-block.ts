import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The part of a client address that one subscriber holds: an IPv4 address, or the /64 of an IPv6 address as four
 * hex groups. Anything else comes back unchanged.
 */
export function addressBlock(address: string): string {
  const [bare = ''] = address.split('%')
  if (!isIPv6(bare)) return address
  const parsed = ipaddr.IPv6.parse(bare)
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString()
  return parsed.parts
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')
}
