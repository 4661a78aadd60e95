import type net from 'node:net'
import tls from 'node:tls'
import { connectTcp, hasReached, type OpenSocket } from './connect-tcp.ts'
import { FetchFailure } from './fetch-failure.ts'
import type { HopLimits } from './fetch-limits.ts'
import { withTimeout } from './timeout.ts'
import { portOf } from './url-rules.ts'

export interface ConnectorOptions {
  /** PEM of a certificate authority to trust besides the usual ones. */
  readonly extraRoot?: string
  /** Tests replace the network here. */
  readonly openSocket?: OpenSocket
}

/**
 * Opens a connection for a URL, with TLS for https, to one of these addresses, which the address policy has checked, and
 * to no other. Rejects with FetchFailure; nothing stays open then.
 */
export type Connect = (url: URL, addresses: readonly string[], limits: HopLimits) => Promise<net.Socket>

export function createConnector({ extraRoot, openSocket }: ConnectorOptions): Connect {
  const roots = extraRoot === undefined ? tls.rootCertificates : [...tls.rootCertificates, extraRoot]
  const secureContext = tls.createSecureContext({ ca: [...roots], minVersion: 'TLSv1.2' })

  return async (url, addresses, limits) => {
    const abort = new AbortController()
    let plain: net.Socket | undefined
    async function open() {
      const { signal } = abort
      plain = await connectTcp(addresses, portOf(url), { signal, ...(openSocket && { openSocket }) })
      if (openSocket === undefined && !hasReached(plain, addresses)) throw new FetchFailure('blocked_address')
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

/** Wraps a connected socket in TLS and checks that the certificate is for `host`. Rejects with FetchFailure `tls_error`. */
function connectTls(
  socket: net.Socket,
  host: string,
  secureContext: tls.SecureContext,
): Promise<tls.TLSSocket> {
  return new Promise((resolve, reject) => {
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
