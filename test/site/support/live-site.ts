import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startService } from '../../support/service.ts'
import { startDnsServer } from '../../web/support/dns-server.ts'
import { startRawServer } from '../../web/support/raw-server.ts'

const folder = new URL('../../fixtures/web/tls/', import.meta.url)
function pem(name: string) {
  return readFileSync(new URL(name, folder), 'utf8')
}

const page =
  '<!doctype html><html lang="en"><title>Harbour news</title><meta name="description" content="A page."><a href="/two">two</a>'

/** A server of ours that can look at one small site, `site.example.com`, whose robots.txt is slow. */
export async function startWithSite(env: Readonly<Record<string, string>> = {}) {
  const site = await startRawServer(
    (socket, request) => {
      const path = request.split(' ')[1] ?? ''
      const answer =
        path === '/' || path === '/two'
          ? `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\nContent-Length: ${page.length}\r\n\r\n${page}`
          : 'HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'
      socket.end(answer)
    },
    { key: pem('site.key'), cert: pem('site.pem') },
  )
  const dns = await startDnsServer((name) => (name.endsWith('.example.com') ? ['127.0.0.1'] : []))
  const server = await startService({
    env: {
      FETCH_ALLOW_CIDRS: '127.0.0.0/8',
      FETCH_ALLOW_PORTS: `${site.port},80,443`,
      FETCH_DNS: dns.address,
      FETCH_CA_FILE: fileURLToPath(new URL('ca.pem', folder)),
      ...env,
    },
  })
  return {
    server,
    pageUrl: `https://site.example.com:${site.port}/`,
    async close() {
      await server.stop()
      await site.close()
      dns.close()
    },
  }
}
