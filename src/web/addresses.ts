import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Decides which addresses may be connected to. */
export interface AddressPolicy {
  /** Public, or inside a range that the operator allows. */
  allows(address: string): boolean
  /** Inside a range that the operator allows by name. */
  allowsByName(address: string): boolean
}

/** @param allowCidrs ranges beyond the public internet, for example `10.0.0.0/8`; throws where one cannot be read */
export const createAddressPolicy = (allowCidrs: readonly string[] = []): AddressPolicy => {
  const allowed = allowCidrs.map(parseRange)
  const allowsByName = (address: string) => {
    const parsed = parseAddress(address)
    return parsed !== null && isInside(parsed, allowed)
  }
  return { allowsByName, allows: (address) => isPublicAddress(address) || allowsByName(address) }
}

/**
 * Whether an address is globally reachable unicast, by the IANA special-purpose registries.
 * Forms that carry an IPv4 address inside IPv6 (mapped, compatible, NAT64, 6to4, Teredo) never are.
 */
export const isPublicAddress = (address: string): boolean => {
  const parsed = parseAddress(address)
  if (parsed === null) return false
  if (parsed.kind() === 'ipv4') return !isInside(parsed, SPECIAL_V4)
  return isInside(parsed, GLOBAL_V6) && !isInside(parsed, SPECIAL_V6)
}

/** One spelling for each address, to compare what was vetted with what was reached. */
export const canonicalAddress = (address: string): string | null =>
  parseAddress(address)?.toNormalizedString() ?? null

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = readonly [Address, number]

/** Zone ids and short forms are refused: neither a URL nor a resolver has a reason to produce them here. */
const parseAddress = (address: string): Address | null =>
  isIP(address) === 0 || address.includes('%') ? null : ipaddr.parse(address)

/** A bare address is a range of one. */
const parseRange = (range: string): Range => {
  if (range.includes('/')) return ipaddr.parseCIDR(range)
  const address = ipaddr.parse(range)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

const isInside = (address: Address, ranges: readonly Range[]): boolean =>
  ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))

const SPECIAL_V4 = [
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

const GLOBAL_V6 = ['2000::/3'].map(parseRange)

const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'].map(
  parseRange,
)
