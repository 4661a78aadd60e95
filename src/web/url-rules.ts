import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { FetchFailure } from './fetch-failure.ts'
import special from './special-addresses.json' with { type: 'json' }

export const urlLengthMax = 2048
const defaultPorts: readonly number[] = [80, 443, 8080, 8443]

export interface UrlRules {
  readonly allowPorts?: readonly number[]
  /** Address ranges beyond the public internet. With any of them the names of private hosts may be looked up, too. */
  readonly allowCidrs?: readonly string[]
}

/** Parses a URL that a caller sent. Throws FetchFailure unless it is an http or https URL of a public host name or address. */
export function checkUrl(raw: string, rules: UrlRules = {}): URL {
  const text = raw.trim()
  if (text.length > urlLengthMax) throw new FetchFailure('url_too_long')
  if (control.test(text) || !scheme.test(text)) throw new FetchFailure('invalid_url')
  if (!/^https?:/i.test(text)) throw new FetchFailure('unsupported_scheme')
  if (!URL.canParse(text)) throw new FetchFailure('invalid_url')
  return checkParsedUrl(new URL(text), rules)
}

export interface HostRules {
  readonly ownHosts?: readonly string[]
  /** The operator denies fetches from a host. Called for the host of every redirect as well. */
  readonly isDenied?: (host: string) => boolean
}

export function checkName({ hostname }: URL, { ownHosts, isDenied }: HostRules): void {
  if (ownHosts?.includes(hostname)) throw new FetchFailure('self_request')
  if (isDenied?.(hostname)) throw new FetchFailure('denied_domain')
}

/** Throws FetchFailure for a URL that is refused whatever its host name leads to. */
export function checkWithoutLookup(raw: string, rules: UrlRules & HostRules): void {
  const url = checkUrl(raw, rules)
  checkName(url, rules)
  const address = addressLiteral(url)
  if (address !== undefined && !createAddressPolicy(rules.allowCidrs).allows(address))
    throw new FetchFailure('blocked_address')
}

/** Checks a URL and returns it without its fragment. Addresses are checked later, after DNS. */
function checkParsedUrl(url: URL, { allowPorts = defaultPorts, allowCidrs = [] }: UrlRules): URL {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new FetchFailure('unsupported_scheme')
  if (url.username !== '' || url.password !== '') throw new FetchFailure('credentials_in_url')
  if (url.href.length > urlLengthMax * 3) throw new FetchFailure('url_too_long')
  const checked = new URL(url)
  checked.hash = ''
  if (checked.hostname.endsWith('.')) checked.hostname = checked.hostname.slice(0, -1)
  const isAllowedPort = allowPorts.includes(portOf(checked))
  if (addressLiteral(checked) === undefined && !isPublicName(checked.hostname)) {
    const isAllowed = isAllowedPort && mayBePrivate(checked.hostname, allowCidrs)
    if (!isAllowed) throw new FetchFailure('blocked_host')
  }
  if (!isAllowedPort) throw new FetchFailure('blocked_port')
  return checked
}

/** The URL that a response redirects to, checked like any other. Returns undefined if it is no redirect. */
export function redirectTarget(from: URL, status: number, location: string | undefined, rules: UrlRules) {
  if (!redirectStatuses.has(status) || location === undefined) return undefined
  try {
    const target = decodeLocation(location)
    if (!URL.canParse(target, from.href)) throw new FetchFailure('invalid_url')
    return checkParsedUrl(new URL(target, from.href), rules)
  } catch (failure) {
    // The site wrote this URL, not the caller: the caller's query is valid.
    if (failure instanceof FetchFailure && failure.code === 'invalid_query')
      throw new FetchFailure(failure.reason, { code: 'upstream_failed' })
    throw failure
  }
}

/** The IP address that stands in place of a host name. Returns undefined for a host name. */
export function addressLiteral(url: URL): string | undefined {
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  return isIP(host) === 0 ? undefined : host
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}

/** Names that never exist on the public internet: RFC 6761, 6762, 7686, 8375, 9476, `.internal`, and what ICANN reserves. */
export const reservedSuffixes: ReadonlySet<string> = new Set(special.reservedSuffixes)

/** A host is private, as far as is known without DNS, by its address, without a dot, or by a private network's name. */
export function hasPrivateHost(url: URL): boolean {
  const address = addressLiteral(url)
  if (address !== undefined) return !isPublicAddress(address)
  return isPrivateName(url.hostname.replace(/\.$/, ''))
}

function isPrivateName(host: string): boolean {
  const labels = host.split('.')
  return labels.length < 2 || privateSuffixes.has(labels.at(-1) ?? '')
}

/** The addresses of `localhost` are known; those of other names are checked once they are. */
export function mayBePrivate(host: string, allowCidrs: readonly string[]): boolean {
  if (allowCidrs.length === 0 || !isName(host) || !isPrivateName(host)) return false
  return isLocalhost(host) ? localhostAddresses(allowCidrs).length > 0 : !privateSuffixes.has(host)
}

/** `localhost` leads to this machine, whatever DNS says (RFC 6761). */
export function isLocalhost(host: string): boolean {
  return /(?:^|\.)localhost$/.test(host)
}

export function localhostAddresses(allowCidrs: readonly string[] = []): readonly string[] {
  const { isAllowlisted } = createAddressPolicy(allowCidrs)
  return ['127.0.0.1', '::1'].filter(isAllowlisted)
}

/** The reserved names that networks give to their own machines; the others lead nowhere. */
const privateSuffixes: ReadonlySet<string> = new Set(special.privateSuffixes)

function isPublicName(host: string): boolean {
  const labels = host.split('.')
  return isName(host) && labels.length > 1 && !reservedSuffixes.has(labels.at(-1) ?? '')
}

function isName(host: string): boolean {
  return host.length <= 253 && host.split('.').every((label) => label.length > 0 && label.length <= 63)
}

const scheme = /^[a-z][a-z0-9+.-]*:/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come through
const control = /[\u0000-\u001f\u007f]/

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Header bytes arrive as latin1, but many sites send UTF-8. */
function decodeLocation(location: string): string {
  const bytes = Buffer.from(location, 'latin1')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return location
  }
}

/** Addresses on the public internet may be connected to, and those in ranges that the operator allows. */
export function createAddressPolicy(allowCidrs: readonly string[] = []) {
  const ranges = allowCidrs.map(parseRange)
  function isAllowlisted(address: string): boolean {
    const parsed = parseAddress(address)
    return parsed !== undefined && isInside(parsed, ranges)
  }
  return { isAllowlisted, allows: (address: string) => isPublicAddress(address) || isAllowlisted(address) }
}

/** The special-purpose registries of IANA decide. False for text that is no address. */
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

/** 168.63.129.16 is Azure's host agent: publicly numbered, and answered by the machine's own hypervisor. */
const specialV4 = special.v4.map(parseRange)
const globalV6 = ['2000::/3'].map(parseRange)
const specialV6 = special.v6.map(parseRange)
