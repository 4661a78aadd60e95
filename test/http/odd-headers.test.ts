import { expect, test } from 'bun:test'
import { assets } from '../../src/catalog.ts'
import { type AdminServer, openAdminServer } from '../admin/support/admin-server.ts'
import { logIn } from '../admin/support/operator.ts'
import { randomFrom } from '../support/random.ts'
import { rawHttp } from '../support/raw-http.ts'
import { repeated } from '../support/repeated.ts'
import { started } from '../support/started.ts'
import { sampleSize } from '../support/test-size.ts'
import oddHeaders from './odd-headers.json' with { type: 'json' }

const requests = sampleSize(3_000, 200)
const atOnce = 12
const random = randomFrom(20_261_122)

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
const operator = started(() => logIn(server))

/** Values that a client, a proxy or somebody with time on their hands may send. */
const headers: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(oddHeaders).map(([name, values]) => [name, values.map(repeated)]),
)
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
  if (random.below(4) === 0) lines.push(`Cookie: ${operator.cookie}`)
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
