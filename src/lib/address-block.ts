import { isIPv4, isIPv6 } from 'node:net'

/**
 * The part of a client address that one subscriber holds: an IPv4 address, or the /64 of an IPv6 address as four
 * hex groups. Anything else comes back unchanged.
 */
export function addressBlock(address: string): string {
  const [bare = ''] = address.split('%')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1]
  if (mapped !== undefined && isIPv4(mapped)) return mapped
  if (!isIPv6(bare)) return address
  return groupsOf(bare).slice(0, 4).join(':')
}

/** The leading groups and zeros for `::`; a dotted tail lies behind the /64 and only its width matters. */
function groupsOf(address: string): string[] {
  const [head = [], tail = []] = address
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''))
  const width = head.length + tail.length + (address.includes('.') ? 1 : 0)
  const zeros = address.includes('::') ? Array.from({ length: 8 - width }, () => '0') : []
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16).toString(16))
}
