import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A part of the address space that one client may hold. */
export interface ClientBlock {
  readonly name: string
  /** How many times the share of one client the block may use. */
  readonly weight: number
}

/**
 * Returns the blocks that a client address counts for, the smallest first: an IPv4 address alone; the /64, /56 and /48 of an
 * IPv6 address. Anything else is a block of its own.
 */
export function clientBlocks(address: string): readonly ClientBlock[] {
  const [bare = ''] = address.split('%')
  if (!isIPv6(bare)) return [{ name: address, weight: 1 }]
  const parsed = ipaddr.IPv6.parse(bare)
  if (parsed.isIPv4MappedAddress()) return [{ name: parsed.toIPv4Address().toString(), weight: 1 }]
  const [a = 0, b = 0, c = 0, d = 0] = parsed.parts
  const site = [a, b, c].map(inHex).join(':')
  return [
    { name: `${site}:${inHex(d)}`, weight: 1 },
    { name: `${site}:${inHex(d & 0xff00)}/56`, weight: 4 },
    { name: `${site}/48`, weight: 16 },
  ]
}

/** Returns the smallest block of a client address: an IPv4 address, or the /64 of an IPv6 address as four hex groups. */
export function addressBlock(address: string): string {
  return clientBlocks(address)[0]?.name ?? address
}

function inHex(group: number): string {
  return group.toString(16)
}
