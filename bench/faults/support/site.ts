import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { startDnsServer } from '../../../test/web/support/dns-server.ts'
import { startRawServer } from '../../../test/web/support/raw-server.ts'
import type { FaultContext } from '../context.ts'

export interface SiteRequest {
  /** Path and query. */
  readonly path: string
  readonly socket: Socket
}

/** Somebody else's site, which does with each connection what it is told to, and what a server needs to reach it. */
export async function startSite(context: FaultContext, answer: (request: SiteRequest) => void) {
  const site = await startRawServer(
    (socket, request) => answer({ path: request.split(' ')[1] ?? '/', socket }),
    { key: pem('site.key'), cert: pem('site.pem') },
  )
  const dns = await startDnsServer((name) => (name.endsWith('.example.com') ? ['127.0.0.1'] : []))
  context.defer(async () => {
    dns.close()
    await site.close()
  })
  return {
    url: (path: string, host = 'site.example.com') => `https://${host}:${site.port}${path}`,
    connections: site.connections,
    env: {
      FETCH_ALLOW_CIDRS: '127.0.0.0/8',
      FETCH_ALLOW_PORTS: `${site.port},80,443`,
      FETCH_DNS: dns.address,
      FETCH_CA_FILE: fileURLToPath(new URL('ca.pem', folder)),
    },
  }
}

/** A whole answer, for the parts of a site that behave. */
export function plainAnswer(contentType: string, body: string | Uint8Array): Uint8Array {
  const bytes = Buffer.from(body)
  const head = `HTTP/1.1 200 OK\r\nContent-Type: ${contentType}\r\nContent-Length: ${bytes.length}\r\nConnection: close\r\n\r\n`
  return Buffer.concat([Buffer.from(head), bytes])
}

const folder = new URL('../../../test/fixtures/web/tls/', import.meta.url)
const pem = (name: string) => readFileSync(new URL(name, folder), 'utf8')
