import net from 'node:net'
import { errorCode } from '../lib/error-code.ts'
import { canonicalAddress } from './address-policy.ts'
import { type FailureReason, FetchFailure } from './fetch-failure.ts'

/** Opens a socket to exactly this address. Tests replace it to lead public addresses to a loopback server. */
export type OpenSocket = (address: string, port: number) => net.Socket

export interface ConnectTcpOptions {
  readonly openSocket?: OpenSocket
  /** Head start of each address over the next one (RFC 8305). */
  readonly staggerMs?: number
  readonly signal: AbortSignal
}

/**
 * Connects to the first address that answers, IPv6 and IPv4 in turn (Happy Eyeballs, RFC 8305). Rejects with FetchFailure
 * when none does or the signal aborts.
 */
export function connectTcp(
  addresses: readonly string[],
  port: number,
  options: ConnectTcpOptions,
): Promise<net.Socket> {
  const { openSocket = openTcpSocket, staggerMs = 250, signal } = options
  const candidates = [...connectionCandidates(addresses)]
  return new Promise((resolve, reject) => {
    const open = new Set<net.Socket>()
    const failures: FailureReason[] = []
    let stagger: ReturnType<typeof setTimeout> | undefined

    function finish(winner?: net.Socket) {
      clearTimeout(stagger)
      signal.removeEventListener('abort', abort)
      for (const socket of open) if (socket !== winner) socket.destroy()
      open.clear()
    }
    function abort() {
      finish()
      reject(new FetchFailure('timeout_connect'))
    }
    function tryNext() {
      clearTimeout(stagger)
      const address = candidates.shift()
      if (address === undefined) return
      const socket = openSocket(address, port)
      open.add(socket)
      socket.on('error', (error) => {
        if (!open.delete(socket)) return
        failures.push(connectFailure(error))
        if (candidates.length > 0) return tryNext()
        if (open.size > 0) return
        finish()
        reject(new FetchFailure(mostTelling(failures)))
      })
      socket.once('connect', () => {
        finish(socket)
        resolve(socket)
      })
      if (candidates.length > 0) stagger = setTimeout(tryNext, staggerMs)
    }

    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort)
    tryNext()
  })
}

/** Whether the other end of the socket really is one of these addresses. */
export function hasReached(socket: net.Socket, addresses: readonly string[]): boolean {
  const reached = canonicalAddress(socket.remoteAddress ?? '')
  return reached !== undefined && addresses.some((address) => canonicalAddress(address) === reached)
}

/** The addresses that a connection is tried with, in their order: IPv6 and IPv4 in turn. */
export function connectionCandidates(addresses: readonly string[]): readonly string[] {
  return interleave(addresses).slice(0, candidatesMax)
}

const candidatesMax = 8

const openTcpSocket: OpenSocket = (address, port) => net.connect({ host: address, port })

function interleave(addresses: readonly string[]): string[] {
  const v6 = addresses.filter((address) => net.isIPv6(address))
  const v4 = addresses.filter((address) => net.isIPv4(address))
  return Array.from({ length: Math.max(v6.length, v4.length) }, (_, index) => [v6[index], v4[index]])
    .flat()
    .filter((address) => address !== undefined)
}

export function connectFailure(error: unknown): FailureReason {
  return connectFailures.get(errorCode(error)) ?? 'unreachable'
}

const connectFailures = new Map<string, FailureReason>([
  ['ECONNREFUSED', 'connect_refused'],
  ['ECONNRESET', 'connection_reset'],
  ['EPIPE', 'connection_reset'],
  ['ETIMEDOUT', 'timeout_connect'],
])

/** The failure to report when the addresses of one host failed in different ways. */
function mostTelling(failures: readonly FailureReason[]): FailureReason {
  return (
    (['connect_refused', 'connection_reset', 'timeout_connect'] as const).find((reason) =>
      failures.includes(reason),
    ) ?? 'unreachable'
  )
}
