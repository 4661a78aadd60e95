import { BlockList, isIP, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { dayMs, isWithin } from './clock.ts'
import { words } from './words.ts'

export interface ClientBlock {
  readonly name: string
  /** The block may use the share of one client so many times. */
  readonly weight: number
}

/** The blocks that an address counts for, smallest first: IPv4 alone; /64, /56 and /48 of IPv6; anything else itself. */
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

/** An address range such as 10.0.0.0/8 or fd00::/8; a bare address is a range of one. */
export function cidr(text: string): string {
  try {
    addRange(new BlockList(), text)
    return text
  } catch {
    throw new Error(`must hold address ranges such as 10.0.0.0/8, not ${text}`)
  }
}

/** IPv4-mapped IPv6 addresses count as IPv4. */
export function rangeMatcher(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const range of ranges) addRange(list, range)
  return (address) => {
    const family = isIP(address)
    return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6')
  }
}

function addRange(list: BlockList, range: string): void {
  const [address = '', bits] = range.split('/')
  const family = isIP(address)
  if (family === 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) throw new Error(range)
  const whole = family === 4 ? 32 : 128
  list.addSubnet(address, bits === undefined ? whole : Number(bits), family === 4 ? 'ipv4' : 'ipv6')
}

interface SharedAddressOptions {
  readonly now: () => number
  /** With proxies that the operator named, a private address is a caller’s until a day has shown that all have it. */
  readonly areProxiesNamed: boolean
  /** Called once a day while callers share the address. */
  readonly onShared: (address: string) => void
  readonly onToldApart: () => void
}

export type SharedAddressWatch = ReturnType<typeof createSharedAddressWatch>

/**
 * Behind a proxy that is not in TRUSTED_PROXIES all callers have one private address. One with another address ends that
 * for a day, so that calling often cannot bring it about. Loopback beside it is this machine.
 */
export function createSharedAddressWatch({
  now,
  areProxiesNamed,
  onShared,
  onToldApart,
}: SharedAddressOptions) {
  let shared: string | undefined
  let othersAtMs: number | undefined
  let calls = 0
  let toldAtMs: number | undefined
  let wasToldApart = false

  function areToldApart(): boolean {
    return othersAtMs !== undefined && isWithin(othersAtMs, now(), dayMs)
  }

  function isOther(address: string): boolean {
    if (isLoopback(address)) {
      shared ??= address
      return false
    }
    if (!isPrivate(address)) return true
    const before = shared
    shared = address
    if (before === address) return false
    return areProxiesNamed || (before !== undefined && !isLoopback(before))
  }

  function warn(): void {
    if (shared === undefined || areToldApart()) return
    if (toldAtMs !== undefined && isWithin(toldAtMs, now(), dayMs)) return
    toldAtMs = now()
    wasToldApart = false
    onShared(shared)
  }

  return {
    /** Notes the address of a caller, and returns whether callers are told apart by their addresses. */
    note(address: string): boolean {
      if (isIP(address) === 0) return areToldApart()
      if (isOther(address)) {
        othersAtMs = now()
        calls = 0
        if (!wasToldApart) onToldApart()
        wasToldApart = true
        return true
      }
      if (areToldApart()) return true
      calls += 1
      if (calls >= callsMin) warn()
      return false
    },
    /** To be called when an address reaches a limit: the warning does not wait for more calls. */
    warn,
  }
}

/** Fewer calls may well come from one machine, while somebody tries the service out. */
const callsMin = 20

const isLoopback = rangeMatcher(['127.0.0.0/8', '::1'])

/** Addresses of machines beside this one, such as a proxy or a container network. */
const isPrivate = rangeMatcher(
  words('10.0.0.0/8 100.64.0.0/10 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16 fc00::/7 fe80::/10'),
)
