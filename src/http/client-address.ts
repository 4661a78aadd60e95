import { isIP } from 'node:net'
import { rangeMatcher } from '../lib/address-ranges.ts'

/** Returns the address of the other end of the request's connection. It costs a system call. */
export type SocketAddress = (request: Request) => string

export interface Peer {
  /** The address as it was sent; undefined for the socket's. */
  readonly address?: string
  /** Whether the caller reached us, or the trusted proxy before us, by https. */
  readonly isSecure: boolean
}

/**
 * Returns a reader of the client address. Forwarding headers count only if a trusted proxy sent them. Of X-Forwarded-For
 * it takes the last address that is no trusted proxy, because a caller can make up everything before it.
 */
export function createPeerReader(trustedProxies: readonly string[]) {
  const trusted = trustedProxies.length === 0 ? undefined : rangeMatcher(trustedProxies)
  return (request: Request, socketAddress: SocketAddress): Peer => {
    const isSecure = request.url.startsWith('https:')
    if (trusted === undefined) return isSecure ? secureSocket : plainSocket
    const address = withoutPort(socketAddress(request))
    if (!trusted(address)) return { address, isSecure }
    const forwarded = request.headers.get('x-forwarded-for')?.split(',').map(withoutPort).filter(isIP) ?? []
    const caller = forwarded.findLast((hop) => !trusted(hop)) ?? forwarded[0] ?? address
    const scheme = request.headers.get('x-forwarded-proto')?.trim().toLowerCase()
    return { address: caller, isSecure: isSecure || scheme === 'https' }
  }
}

const plainSocket: Peer = { isSecure: false }
const secureSocket: Peer = { isSecure: true }

/** The address without spaces, port, brackets and the IPv4-in-IPv6 prefix. */
export function withoutPort(address: string): string {
  if (!/[\s[\]:]/.test(address)) return address
  return address
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '')
}
