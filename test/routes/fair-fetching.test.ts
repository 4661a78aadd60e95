import { describe, expect, test } from 'bun:test'
import type net from 'node:net'
import { startServer } from '../support/server.ts'
import { started } from '../support/started.ts'
import { startDnsServer } from '../web/support/dns-server.ts'
import { startRawServer } from '../web/support/raw-server.ts'

const quota = 5_000
const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'
const page = '<!doctype html><title>Honest</title>'
const dripEveryMs = 400

/** The ways in which a hostile site treats a connection. Each keeps the fetcher busy for as long as it may. */
const habits: Readonly<Record<string, (socket: net.Socket, host: string) => void>> = {
  body: (socket) => drip(socket, `${head}Transfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n'),
  headers: (socket) => drip(socket, 'HTTP/1.1 200 OK\r\n', 'X-A: b\r\n'),
  silence: () => {},
  /** From one name to the next, each of which drips for a while. */
  redirects: (socket, host) => {
    const [name = '', port] = host.split(':')
    const [first = '', ...rest] = name.split('.')
    const location = `http://${first}x.${rest.join('.')}:${port}/`
    setTimeout(
      () => socket.end(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`),
      1_700,
    )
  },
}

/** A body that drips holds a slot the longest. */
const waves = [['body'], ['body', 'headers', 'silence', 'redirects', 'dns'], ['body', 'redirects']]

function drip(socket: net.Socket, first: string, piece: string): void {
  socket.write(first)
  const timer = setInterval(() => socket.write(piece), dripEveryMs)
  socket.on('close', () => clearInterval(timer))
}

describe.each(['bun', 'deno'] as const)('fetch slots on %s', (runtime) => {
  const hostile = started(() =>
    startRawServer((socket, request) => {
      const host = /^host: (\S+)/im.exec(request)?.[1] ?? ''
      habits[/^\w+\.(\w+)\./.exec(host)?.[1] ?? '']?.(socket, host)
    }),
  )
  const answer = `${head}Content-Length: ${page.length}\r\n\r\n${page}`
  const honest = started(() => startRawServer((socket) => socket.end(answer)))
  // Many names, one address: and the honest sites lie on the same machine.
  const dns = started(() => startDnsServer((name) => (name.includes('.dns.') ? 'silence' : ['127.0.0.1'])))
  const server = started(() =>
    startServer({
      runtime,
      env: {
        FETCH_ALLOW_CIDRS: '127.0.0.0/8',
        FETCH_ALLOW_PORTS: `${hostile.port},${honest.port}`,
        FETCH_DNS: dns.address,
        FETCH_TARGET_PER_MINUTE: '100000',
        FETCH_UNPAID_PER_MINUTE: '10000',
        DEMO_DAILY_QUOTA: String(quota),
        TRUSTED_PROXIES: '127.0.0.1/32',
      },
    }),
  )

  function preview(address: string, url: string) {
    return fetch(`${server.url}/api/transform?kind=preview&demo=1&url=${encodeURIComponent(url)}`, {
      headers: { 'x-forwarded-for': address },
    })
  }
  async function left() {
    const asked = await fetch(`${server.url}/api/og?title=left&demo=1`, { method: 'HEAD' })
    return Number(asked.headers.get('x-quota-remaining'))
  }

  test('two addresses with slow sites of every kind keep nobody else from their previews, and pay for nothing', async () => {
    const before = await left()
    const attacks: Promise<Response>[] = []
    // Waves, so that at any time somebody waits who came before the others.
    for (const [wave, kinds] of waves.entries()) {
      for (let n = 0; n < 34; n += 1) {
        const url = `http://w${wave}n${n}.${kinds[n % kinds.length]}.example.com:${hostile.port}/`
        for (const address of ['192.0.2.1', '192.0.2.2'])
          attacks.push(preview(address, url.replace('//', `//a${address.at(-1)}`)))
      }
      await Bun.sleep(1_000)
    }
    const asked = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        preview(`198.51.100.${n % 3}`, `http://site${n}.example.org:${honest.port}/`),
      ),
    )
    expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 200))
    const ends = await Promise.all(attacks)
    for (const { status } of ends) expect([502, 503, 504]).toContain(status)
    expect(await left()).toBe(before - asked.length)
  })
})
