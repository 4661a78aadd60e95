import { beforeAll, expect, test } from 'bun:test'
import { assets } from '../../src/catalog.ts'
import { type AdminServer, openAdminServer } from '../admin/support/admin-server.ts'
import { logIn } from '../admin/support/operator.ts'
import { randomFrom } from '../support/random.ts'
import { rawHttp } from '../support/raw-http.ts'
import { started } from '../support/started.ts'
import { sampleSize } from '../support/test-size.ts'

const requests = sampleSize(3_000, 200)
const atOnce = 12
const random = randomFrom(20_261_122)

let cookie = ''
const server = started(() =>
  openAdminServer({
    env: {
      DEMO_DAILY_QUOTA: '1000000',
      PLAYGROUND_PER_IP_PER_DAY: '1000000',
      KEYS_PER_IP_PER_DAY: '20',
      // Nobody answers there: no test asks a stranger.
      FETCH_DNS: '127.0.0.1:9',
    },
    seed: { keys: 5, days: 3, payments: 5 },
  }),
)
beforeAll(async () => {
  cookie = (await logIn(server)).cookie
})

const hash = `0x${'ab'.repeat(32)}`
const long = 'x'.repeat(3_000)

/** Values that a client, a proxy or somebody with time on their hands may send. */
const headers: Readonly<Record<string, readonly string[]>> = {
  Accept: [
    ...[
      'text/event-stream',
      'TEXT/Event-Stream;q=1',
      'image/*',
      'image/png;q=0',
      'application/json, image/*',
    ],
    ...[
      '*/*',
      '',
      ',',
      ';;',
      'text/html;q=nan',
      'a/b/c',
      '\u00ff/\u00fe',
      `${'a/b,'.repeat(300)}`,
      'text/event-stream, text/html',
    ],
  ],
  'Accept-Encoding': ['', 'zstd', 'gzip;q=0, br;q=x', '*;q=0', 'identity;q=0', 'gzip,'.repeat(200), '\u00e4'],
  'Accept-Language': ['*', 'x'.repeat(500), 'de;q=', '\u00e9'],
  Range: ['bytes=0-0', 'bytes=5-1', 'bytes=-99999999999999999999', 'bytes=0-,0-,0-', 'lines=1', 'bytes='],
  'If-None-Match': ['*', '""', '"', 'W/', 'W/"x"', '"a"'.repeat(500), ',,,', '"\u00ff"'],
  'If-Match': ['*', '"x"', 'x'],
  'If-Modified-Since': ['now', 'Thu, 01 Jan 1970 00:00:00 GMT', '-1', 'Sat, 32 Foo 99999 99:99:99'],
  'If-Unmodified-Since': ['0', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  'If-Range': ['"x"', 'x', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  'Content-Type': [
    ...[
      'application/json',
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary=x',
    ],
    ...[
      'application/x-www-form-urlencoded; charset=x',
      'text/plain; charset=utf-7',
      '',
      ';',
      'json',
      '\u00ff',
      long,
    ],
  ],
  'Content-Encoding': ['gzip', 'br, gzip', 'x'],
  Expect: ['100-continue', '200-ok', ''],
  Upgrade: ['websocket', 'h2c', 'HTTP/2.0, TLS/1.0', ''],
  Connection: ['upgrade', 'Upgrade, HTTP2-Settings', 'keep-alive', 'x-payment', ''],
  'Sec-WebSocket-Key': ['dGhlIHNhbXBsZSBub25jZQ==', 'x'],
  'Sec-WebSocket-Version': ['13', '0'],
  'HTTP2-Settings': ['AAMAAABkAARAAAAAAAIAAAAA', '%'],
  TE: ['trailers', 'gzip'],
  Trailer: ['X-A'],
  Origin: ['null', 'https://evil.example', '://', '\u00ff'],
  Referer: ['x', 'http://[', long],
  Cookie: [
    'session',
    '=;=',
    'session=%',
    `session=${long}`,
    '__Host-session=a; session=b',
    'session="\u00e4"',
  ],
  Authorization: [
    'Basic',
    'Basic %%%',
    'Bearer x',
    'Payment',
    'Payment id="',
    'Payment eyJ9',
    `Payment ${long}`,
    '\u00ff',
  ],
  'X-Payment': ['', '0x', hash, hash.toUpperCase(), 'e30=', 'bnVsbA==', 'W10=', '%', long],
  'PAYMENT-SIGNATURE': ['', 'e30=', 'eyJ4NDAyVmVyc2lvbiI6Mn0=', 'eyJwYXlsb2FkIjpudWxsfQ==', '\u00ff'],
  'X-Payment-Proof': ['t=1', 't=,sig=', 't=1e9,sig=0x', long],
  'X-Forwarded-For': ['x', '::1', '1.2.3.4, ::ffff:1.2.3.4', ','.repeat(500), '[::1]:80'],
  'X-Forwarded-Proto': ['https', 'javascript', ''],
  'X-Forwarded-Host': ['evil.example', ''],
  Forwarded: ['for=_x;host="a"', ';;'],
  'Sec-Fetch-Site': ['same-origin', 'cross-site', 'x'],
  'Sec-Fetch-Dest': ['image', 'document', 'x'],
  'Sec-Purpose': ['prefetch', 'prefetch;prerender'],
  'Access-Control-Request-Method': ['GET', 'x y', ''],
  'Access-Control-Request-Headers': ['x-payment', ',', long],
  'User-Agent': ['', '\u00ff', long],
  'X-HTTP-Method-Override': ['DELETE', 'x'],
  'X-Request-Id': ['a\tb', long],
  'Cache-Control': ['no-cache', 'max-age=x'],
}
const headerNames = Object.keys(headers)
const methods = ['GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'PROPFIND']
const bodies = ['', 'a=b', '{', 'null', '{"key":{}}', 'key=%ff', '--x\r\n\r\n--x--', '\u0000\u00ff']

/** Words for the parts of a path that routes leave open. */
const words = ['mk_none', 'card-paper.svg', 'og', '1', '%00', '..%2f', '%ff', 'constructor', '__proto__']

/** Every route of the service as it can be asked for, and every asset with a query that works. */
async function targetsOf({ service }: AdminServer): Promise<readonly string[]> {
  const routes = (await service.routes()).map(({ path }) => path)
  const examples = assets.map(({ path, kind, example }) => {
    // Nobody's site is asked.
    const still = {
      ...('domain' in example && { crawl: '0' }),
      ...('url' in example && { url: 'http://localhost/' }),
    }
    const query = { ...(kind && { kind }), ...example, ...still, demo: '1' }
    return `${path}?${new URLSearchParams(query)}`
  })
  return [...new Set([...routes, ...examples])]
}

function oddRequest(target: string): string {
  const method = random.pick(methods)
  const filled = target.replaceAll(/:\w+|\*/g, () => random.pick(words))
  const names = Array.from({ length: 1 + random.below(6) }, () => random.pick(headerNames))
  const lines = names.map((name) => `${name}: ${random.pick(headers[name] ?? [''])}`)
  if (random.below(4) === 0) lines.push(`Cookie: ${cookie}`)
  const body = method === 'GET' || method === 'HEAD' ? '' : random.pick(bodies)
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body, 'latin1')}`]
  const host = `Host: localhost:${new URL(server.url).port}`
  return [`${method} ${filled} HTTP/1.1`, host, ...lines, ...length, 'Connection: close', '', body].join(
    '\r\n',
  )
}

/** The status after interim answers such as 100; 0 if nothing was answered. */
function finalStatus(text: string): number {
  return Number(/^(?:HTTP\/1\.1 1\d\d.*?\r\n\r\n)*HTTP\/1\.1 (\d{3})/s.exec(text)?.[1] ?? 0)
}

test(`${requests} requests with odd headers, methods and bodies to every route: each is answered, and never with a 5xx`, async () => {
  const targets = await targetsOf(server)
  expect(targets.length).toBeGreaterThan(40)
  const port = Number(new URL(server.url).port)
  const queue = Array.from({ length: requests }, (_, n) => oddRequest(targets[n % targets.length] ?? '/'))
  const wrong: string[] = []
  async function one(): Promise<void> {
    for (let request = queue.pop(); request !== undefined; request = queue.pop()) {
      const { text } = await rawHttp(port, request)
      const status = finalStatus(text)
      const isBusy = status === 503 && /\r\nretry-after: \d/i.test(text)
      if (!isBusy && (status < 200 || status >= 500))
        wrong.push(`${status}: ${request}\n\n${text.slice(0, 300)}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  expect(wrong).toEqual([])
  expect(server.log()).not.toContain('"request failed"')
})

test.each(['text/event-stream', 'text/event-stream, text/html', '*/*', 'image/*', ''])(
  'every public page is a page for who asks with Accept: %s',
  async (accept) => {
    for (const path of '/ /?kind=sitemap&domain=example.com&crawl=0 /docs /docs/errors /status /bot'.split(
      ' ',
    )) {
      const response = await fetch(server.url + path, { headers: { accept } })
      expect([path, response.status]).toEqual([path, 200])
      expect(response.headers.get('content-type')).toStartWith('text/html')
      expect(await response.text()).toEndWith('</html>')
    }
  },
)
