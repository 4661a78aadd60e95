import { LRUCache } from 'lru-cache'
import { Problem } from '../errors.ts'

interface HostRules {
  /** The public origin; undefined serves every well-formed host. */
  readonly baseUrl?: string | undefined
  readonly allowedHosts: readonly string[]
}

const wellFormed = /^(\[[0-9a-f:.]+\]|[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?)(:\d{1,5})?$/
/** The longest name that DNS has, and a port. */
const hostCharsMax = 253 + 6
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/

/**
 * Answers the base URL that a request came in by, from its Host header. A host that is not ours is refused
 * before anything is routed: routers find the path by searching the URL, and a crafted host moves it.
 */
export function createHostCheck({ baseUrl, allowedHosts }: HostRules) {
  const listed = new Set(allowedHosts)
  if (baseUrl !== undefined) listed.add(new URL(baseUrl).host)
  const served = new LRUCache<string, true>({ max: 100 })

  function check(host: string): void {
    // A number too large, a wrong IPv6 address: pages build URLs of it.
    const isHost = host.length <= hostCharsMax && wellFormed.test(host) && URL.canParse(`http://${host}`)
    if (!isHost) throw new Problem('invalid_host', 'The Host header is not well formed.')
    if (baseUrl === undefined || listed.has(host) || loopback.test(host)) return
    throw new Problem('invalid_host', 'This host is not served here.')
  }

  return (hostHeader: string | null, isSecure: boolean): string => {
    // HTTP/1.0 health checks send none.
    const host = hostHeader?.toLowerCase() ?? 'localhost'
    if (!served.has(host)) {
      check(host)
      served.set(host, true)
    }
    return baseUrl ?? (isSecure ? 'https://' : 'http://') + host
  }
}
