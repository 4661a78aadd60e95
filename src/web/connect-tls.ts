import type net from 'node:net'
import tls from 'node:tls'
import { FetchFailure } from './fetch-failure.ts'

/** Wraps a connected socket in TLS and checks that the other side is `host`. */
export type ConnectTls = (socket: net.Socket, host: string) => Promise<tls.TLSSocket>

export function createTlsConnector(extraRoot?: string): ConnectTls {
  const roots = extraRoot === undefined ? tls.rootCertificates : [...tls.rootCertificates, extraRoot]
  const secureContext = tls.createSecureContext({ ca: [...roots], minVersion: 'TLSv1.2' })

  return (socket, host) =>
    new Promise((resolve, reject) => {
      const literal = host.startsWith('[') || /^[\d.]+$/.test(host)
      const secured = tls.connect({
        socket,
        secureContext,
        servername: literal ? '' : host,
        rejectUnauthorized: true,
        ALPNProtocols: ['http/1.1'],
        checkServerIdentity: (_, certificate) =>
          tls.checkServerIdentity(host.replace(/^\[|\]$/g, ''), certificate),
      })
      function fail() {
        secured.destroy()
        socket.destroy()
        reject(new FetchFailure('tls_error'))
      }
      secured.on('error', fail)
      secured.once('close', fail)
      socket.once('close', fail)
      secured.once('secureConnect', () => {
        secured.off('close', fail)
        socket.off('close', fail)
        resolve(secured)
      })
    })
}
