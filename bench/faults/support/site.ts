import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { createServer, type Server } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { startDnsServer } from '../../../test/web/support/dns-server.ts'
import { type FaultContext, NotPossibleHere } from '../context.ts'

export interface SiteRequest {
  /** Path and query. */
  readonly path: string
  /** The name that was asked for. */
  readonly host: string
  readonly socket: Socket
}

/**
 * Somebody else's site, which does with each connection what it is told to, and the settings that a server needs to
 * reach it. Every name below `example.com` is its own. It listens on the port that sites have, as bundles ask no other.
 */
export async function startSite(context: FaultContext, answer: (request: SiteRequest) => void) {
  const sockets = new Set<Socket>()
  const site = createServer({ key: pem('site.key'), cert: pem('site.pem') }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.once('data', (data) => {
      const request = data.toString('latin1')
      const host = /^host: *([^:\r]*)/im.exec(request)?.[1] ?? ''
      answer({ path: request.split(' ')[1] ?? '/', host, socket })
    })
  })
  site.on('tlsClientError', () => {})
  const address = await listen(site)
  const dns = await startDnsServer((name) => (name.endsWith('.example.com') ? [address] : []))
  context.defer(async () => {
    dns.close()
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => site.close(resolve))
  })
  return {
    url: (path: string, host = 'site.example.com') => `https://${host}${path}`,
    env: {
      FETCH_ALLOW_CIDRS: '127.0.0.0/8',
      FETCH_DNS: dns.address,
      FETCH_CA_FILE: fileURLToPath(new URL('ca.pem', folder)),
    },
  }
}

/** A whole answer, for the parts of a site that behave. */
export function plainAnswer(contentType: string, body: string): string {
  return `HTTP/1.1 200 OK\r\nContent-Type: ${contentType}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
}

export const notFound = 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'

/** Each site has a loopback address of its own, so that several can have the same port. */
function listen(site: Server): Promise<string> {
  function part() {
    return 1 + Math.floor(Math.random() * 250)
  }
  const address = `127.${part()}.${part()}.${part()}`
  return new Promise((resolve, reject) => {
    site.once('error', () => reject(new NotPossibleHere('this machine lets us listen on no low port')))
    site.listen(443, address, () => resolve(address))
  })
}

const folder = new URL('../../../test/fixtures/web/tls/', import.meta.url)
function pem(name: string) {
  return readFileSync(new URL(name, folder), 'utf8')
}
