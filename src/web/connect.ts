import net from 'node:net'
import tls from 'node:tls'
import { awakeNowMs, withinAwake } from '../lib/clock.ts'
import { errorCode } from '../lib/system-reason.ts'
import { type FailureReason, FetchFailure } from './fetch-failure.ts'
import defaultLimits from './fetch-limits.json' with { type: 'json' }
import { canonicalAddress, portOf } from './url-rules.ts'

/** Opens a socket to exactly this address. Tests replace it to lead public addresses to a loopback server. */
export type OpenSocket = (address: string, port: number) => net.Socket

export interface ConnectorOptions {
  readonly extraRoot?: string
  readonly openSocket?: OpenSocket
}

/** Connects to one of these checked addresses, and to no other. Rejects with FetchFailure; nothing stays open then. */
export function createConnector({ extraRoot, openSocket }: ConnectorOptions) {
  const roots = extraRoot === undefined ? tls.rootCertificates : [...tls.rootCertificates, extraRoot]
  const secureContext = tls.createSecureContext({ ca: [...roots], minVersion: 'TLSv1.2' })

  return async (url: URL, addresses: readonly string[], limits: HopLimits): Promise<net.Socket> => {
    const abort = new AbortController()
    let plain: net.Socket | undefined
    async function open() {
      plain = await connectTcp(addresses, portOf(url), abort.signal, openSocket)
      const reached = canonicalAddress(plain.remoteAddress ?? '')
      const isReached = reached !== undefined && addresses.some((each) => canonicalAddress(each) === reached)
      if (openSocket === undefined && !isReached) throw new FetchFailure('blocked_address')
      return url.protocol === 'https:' ? connectTls(plain, url.hostname, secureContext) : plain
    }
    try {
      return await withTimeout(open(), limits.connectMs, 'timeout_connect', limits)
    } catch (failure) {
      abort.abort()
      plain?.destroy()
      throw failure
    }
  }
}

/**
 * Happy Eyeballs (RFC 8305): the first address that answers. Once aborted it leaves nothing open and never settles.
 * @param staggerMs head start of each address over the next one
 */
export function connectTcp(
  addresses: readonly string[],
  port: number,
  signal: AbortSignal,
  openSocket: OpenSocket = (host, port) => net.connect({ host, port }),
  staggerMs = 250,
): Promise<net.Socket> {
  const candidates = [...connectionCandidates(addresses)]
  const open = new Set<net.Socket>()
  const failures: FailureReason[] = []
  let stagger: ReturnType<typeof setTimeout> | undefined
  return new Promise((resolve, reject) => {
    function finish(winner?: net.Socket) {
      clearTimeout(stagger)
      for (const socket of open) if (socket !== winner) socket.destroy()
      open.clear()
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
        // If the addresses failed in different ways, the first reason in the table is reported.
        const reason = [...connectFailures.values()].find((each) => failures.includes(each))
        reject(new FetchFailure(reason ?? 'unreachable'))
      })
      socket.once('connect', () => {
        finish(socket)
        resolve(socket)
      })
      if (candidates.length > 0) stagger = setTimeout(tryNext, staggerMs)
    }
    signal.addEventListener('abort', () => finish())
    tryNext()
  })
}

const candidatesMax = 8

/** The addresses that a connection is tried with, in their order: IPv6 and IPv4 in turn. */
export function connectionCandidates(addresses: readonly string[]): readonly string[] {
  const [v6, v4] = [addresses.filter(net.isIPv6), addresses.filter(net.isIPv4)]
  return Array.from({ length: candidatesMax }, (_, index) => [v6[index], v4[index]])
    .flat()
    .filter((address) => address !== undefined)
    .slice(0, candidatesMax)
}

const connectFailures = new Map<string, FailureReason>([
  ['ECONNREFUSED', 'connect_refused'],
  ['ECONNRESET', 'connection_reset'],
  ['EPIPE', 'connection_reset'],
  ['ETIMEDOUT', 'timeout_connect'],
])

export function connectFailure(error: unknown): FailureReason {
  return connectFailures.get(errorCode(error)) ?? 'unreachable'
}

/** Wraps a connected socket in TLS and checks that the certificate is for `host`. Rejects with FetchFailure `tls_error`. */
function connectTls(socket: net.Socket, host: string, secureContext: tls.SecureContext) {
  return new Promise<tls.TLSSocket>((resolve, reject) => {
    const isAddress = host.startsWith('[') || /^[\d.]+$/.test(host)
    const tlsSocket = tls.connect({
      socket,
      secureContext,
      servername: isAddress ? '' : host,
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
      checkServerIdentity: (_, certificate) =>
        tls.checkServerIdentity(host.replace(/^\[|\]$/g, ''), certificate),
    })
    function fail() {
      tlsSocket.destroy()
      socket.destroy()
      reject(new FetchFailure('tls_error'))
    }
    tlsSocket.on('error', fail)
    tlsSocket.once('close', fail)
    socket.once('close', fail)
    tlsSocket.once('secureConnect', () => {
      tlsSocket.off('close', fail)
      socket.off('close', fail)
      resolve(tlsSocket)
    })
  })
}

/** Rejects with FetchFailure if the work takes longer than `timeoutMs` or passes the deadline. The work itself is not stopped. */
export function withTimeout<T>(
  work: Promise<T>,
  timeoutMs: number,
  reason: FailureReason,
  { deadlineAt }: HopLimits,
): Promise<T> {
  const leftMs = Math.max(0, deadlineAt - awakeNowMs())
  const late = () => new FetchFailure(leftMs < timeoutMs ? 'timeout_total' : reason)
  return withinAwake(work, Math.min(leftMs, timeoutMs), late)
}

/**
 * Limits of one fetch, in milliseconds and bytes: to the end of the TLS handshake (`connectMs`), of a silence in the middle
 * of a body (`idleMs`), over all redirects (`totalMs`), of the body after decoding (`bodyBytes`).
 */
export type FetchLimits = Readonly<typeof defaultLimits>

export interface HopLimits extends FetchLimits {
  /** On the clock of `awakeNowMs()`, because time in which this process stands still is not the site's. */
  readonly deadlineAt: number
  /** The most that may come over the wire of a body. */
  readonly wireBytes: number
}
