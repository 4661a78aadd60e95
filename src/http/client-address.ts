import { isIP } from 'node:net'
import { rangeMatcher } from '../lib/address-ranges.ts'

export interface Peer {
  /** Asked only when somebody wants to know: it costs a system call. */
  readonly address: () => string
  /** Whether the caller reached us, or the trusted proxy before us, by https. */
  readonly isSecure: boolean
}

/**
 * Who really calls. The forwarding headers count only from trusted proxies; of X-Forwarded-For the last
 * address that no trusted proxy has, because everything before it is the caller's own word.
 */
export function createPeerReader(trustedProxies: readonly string[]) {
  const trusted = trustedProxies.length === 0 ? undefined : rangeMatcher(trustedProxies)
  return (socketAddress: () => string, request: Request): Peer => {
    const isSecure = request.url.startsWith('https:')
    if (trusted === undefined) return { address: () => plain(socketAddress()), isSecure }
    const address = plain(socketAddress())
    if (!trusted(address)) return { address: () => address, isSecure }
    const forwarded = request.headers.get('x-forwarded-for')?.split(',').map(plain).filter(isIP) ?? []
    const caller = forwarded.findLast((hop) => !trusted(hop)) ?? forwarded[0] ?? address
    const scheme = request.headers.get('x-forwarded-proto')?.trim().toLowerCase()
    return { address: () => caller, isSecure: isSecure || scheme === 'https' }
  }
}

/** Without spaces, port, brackets and the IPv4-in-IPv6 prefix. */
function plain(address: string): string {
  if (!/[\s[\]:]/.test(address)) return address
  return address
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '')
}
