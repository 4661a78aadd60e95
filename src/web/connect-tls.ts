import type net from 'node:net'
import tls from 'node:tls'
import { FetchFailure } from './fetch-failure.ts'

/** Wraps a connected socket in TLS and checks that the certificate is for `host`. Rejects with FetchFailure `tls_error`. */
export type ConnectTls = (socket: net.Socket, host: string) => Promise<tls.TLSSocket>

/** @param extraRoot PEM of a certificate authority to trust besides the usual ones */
export function createTlsConnector(extraRoot?: string): ConnectTls {
  const roots = extraRoot === undefined ? tls.rootCertificates : [...tls.rootCertificates, extraRoot]
  const secureContext = tls.createSecureContext({ ca: [...roots], minVersion: 'TLSv1.2' })

  return (socket, host) =>
    new Promise((resolve, reject) => {
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
