import { LRUCache } from 'lru-cache'
import { Problem } from '../errors.ts'

export interface HostRules {
  /** Where the service is found, maybe with a path; undefined serves every well-formed host. */
  readonly baseUrl?: string | undefined
  readonly allowedHosts: readonly string[]
}

const wellFormed = /^(\[[0-9a-f:.]+\]|[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?)(:\d{1,5})?$/
/** The longest name in DNS, and a port. */
const hostCharsMax = 253 + 6
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/

/**
 * Returns a function that turns the Host header into the base URL of a request. It throws for a host that is not served,
 * before anything is routed: routers search the URL for the path, and a crafted host would move it.
 */
export function createHostCheck({ baseUrl, allowedHosts }: HostRules) {
  const listed = new Set(allowedHosts)
  if (baseUrl !== undefined) listed.add(new URL(baseUrl).host)
  const served = new LRUCache<string, true>({ max: 100 })

  function check(host: string): void {
    // A port that is too large or a wrong IPv6 address is refused too, because pages build URLs with the host.
    const isHost = host.length <= hostCharsMax && wellFormed.test(host) && URL.canParse(`http://${host}`)
    if (!isHost) throw new Problem('invalid_host', 'The Host header is not well formed.')
    if (baseUrl === undefined || listed.has(host) || loopback.test(host)) return
    throw new Problem(
      'invalid_host',
      'This host is not served here. The operator names others in BASE_URL or ALLOWED_HOSTS.',
    )
  }

  /** Most requests have the host of the one before. */
  let last: { readonly header: string; readonly isSecure: boolean; readonly baseUrl: string } | undefined

  return (hostHeader: string | null, isSecure: boolean): string => {
    if (last !== undefined && hostHeader === last.header && isSecure === last.isSecure) return last.baseUrl
    // Health checks over HTTP/1.0 send no Host header.
    const host = hostHeader?.toLowerCase() ?? 'localhost'
    if (!served.has(host)) {
      check(host)
      served.set(host, true)
    }
    const base = baseUrl ?? (isSecure ? 'https://' : 'http://') + host
    if (hostHeader !== null) last = { header: hostHeader, isSecure, baseUrl: base }
    return base
  }
}
