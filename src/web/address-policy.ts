import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Which addresses may be connected to: those on the public internet and those in ranges that the operator allows. */
export function createAddressPolicy(allowCidrs: readonly string[] = []) {
  const ranges = allowCidrs.map(parseRange)
  /** Inside a range that the operator allows. */
  function isAllowlisted(address: string): boolean {
    const parsed = parseAddress(address)
    return parsed !== undefined && isInside(parsed, ranges)
  }
  return { isAllowlisted, allows: (address: string) => isPublicAddress(address) || isAllowlisted(address) }
}

/** Whether an address is on the public internet, by the special-purpose registries of IANA. False for text that is no address. */
export function isPublicAddress(address: string): boolean {
  const parsed = parseAddress(address)
  if (parsed === undefined) return false
  if (parsed.kind() === 'ipv4') return !isInside(parsed, specialV4)
  return isInside(parsed, globalV6) && !isInside(parsed, specialV6)
}

/** The one spelling of an address, to compare it by. Returns undefined for text that is no address. */
export function canonicalAddress(address: string): string | undefined {
  return parseAddress(address)?.toNormalizedString()
}

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = readonly [Address, number]

function parseAddress(address: string): Address | undefined {
  return isIP(address) === 0 || address.includes('%') ? undefined : ipaddr.parse(address)
}

function parseRange(range: string): Range {
  if (range.includes('/')) return ipaddr.parseCIDR(range)
  const address = ipaddr.parse(range)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

function isInside(address: Address, ranges: readonly Range[]): boolean {
  return ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
}

const specialV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32', // Azure's host agent: publicly numbered, answered by the machine's own hypervisor
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
].map(parseRange)

const globalV6 = ['2000::/3'].map(parseRange)

const specialV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'].map(
  parseRange,
)
