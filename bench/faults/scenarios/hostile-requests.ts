import { randomFrom } from '../../../test/support/random.ts'
import { rawHttp } from '../../../test/support/raw-http.ts'
import type { FaultContext } from '../context.ts'
import type { Scenario } from '../scenario.ts'
import { ask, inParallel } from '../support/ask.ts'
import { cookieOf, logIn } from '../support/operator.ts'
import type { FaultServer } from '../support/server.ts'

const paths =
  '/ /docs /docs/errors /status /bot /openapi.json /llms.txt /robots.txt /sitemap.xml /.well-known/x402 /healthz /readyz /metrics /api/og /api/og.png /api/transform /api/badge /api/avatar /api/stats /api/preview /api/sitemap /api/key /api/usage /api/upgrade /badge/a-b-red /static/v1 /admin /admin/login /admin/keys /api/ /9.x/initials/svg'.split(
    ' ',
  )
const words = [
  '',
  '\0',
  '%00',
  '💥',
  '\u202e',
  '\ud800',
  'constructor',
  '__proto__',
  'toString',
  '-1',
  '1e999',
  '../../etc/passwd',
  '<script>',
  "' or 1=1",
  'NaN',
  '%',
  '%ff',
  'a'.repeat(3000),
]
const names = [
  'title',
  'kind',
  'value',
  'label',
  'name',
  'size',
  'style',
  'logo',
  'format',
  'url',
  'domain',
  'key',
  't',
  'exp',
  'sig',
  'demo',
  'lang',
  'cacheSeconds',
  'link',
  '__proto__',
  'constructor',
  'q',
  'page',
  'before',
  'day',
]
const headers: readonly (readonly [string, string])[] = [
  ['accept', 'text/event-stream'],
  ['accept', 'image/*;q=nan, */*;q=-1'],
  ['accept-encoding', 'gzip;q=9, br;q=, zstd'],
  ['accept-language', '-, *, xx-yy-zz-12345678-q'],
  ['if-none-match', '*, W/"'],
  ['range', 'bytes=-1-1'],
  ['authorization', 'Payment constructor'],
  ['x-payment', '{"x402Version":1}'],
  ['x-payment', Buffer.from('{"x402Version":1,"scheme":"constructor","payload":null}').toString('base64')],
  ['payment-signature', 'e30='],
  ['x-forwarded-for', '::ffff:1.2.3.4, '.repeat(60)],
  ['cookie', 'session=%00; session=__proto__'],
  ['host', 'constructor'],
  ['content-type', 'multipart/form-data; boundary='],
  ['expect', 'x'],
]
const methods = ['GET', 'GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH']

/** Nothing that a caller sends is answered with an error of ours. */
export const hostileRequests: Scenario = {
  name: 'hostile-requests',
  title: 'odd requests',
  tried: 'seeded mixes of paths, parameters, methods and headers; the operator’s forms with odd fields',
  async run(context) {
    const random = randomFrom(402)
    const server = await context.startServer({ env: { LOG_LEVEL: 'error' } })
    const cookie = cookieOf(await logIn(context, server))
    const all = Array.from({ length: context.times(20_000, 400) }, () => {
      const query = new URLSearchParams()
      for (let n = random.below(4); n > 0; n--) query.append(random.pick(names), random.pick(words))
      const [name, value] = random.pick(headers)
      const method = random.pick(methods)
      const more = method === 'GET' && random.below(4) === 0 ? { cookie } : {}
      return { url: `${random.pick(paths)}?${query}`, method, headers: { [name]: value, ...more } }
    })
    await inParallel(all.length, 8, async (index) => {
      const { url = '', ...init } = all[index] ?? {}
      context.count('requests')
      await ask(context, server.url + url, init)
    })
    for (const path of paths)
      await ask(context, server.url + path, { headers: { accept: 'text/event-stream' }, timeoutMs: 20_000 })
    await sendForms(context, server, cookie)
    await sendRaw(context, server)
  },
}

const forms = [
  '/admin/keys',
  '/admin/keys/revoke',
  '/admin/keys/mk_x/quota',
  '/admin/keys/mk_x/rename',
  '/admin/keys/mk_x/rotate',
  '/admin/payments/x/recheck',
  '/admin/test-fetch',
  '/admin/sessions/end',
]

async function sendForms(context: FaultContext, { url }: FaultServer, cookie: string): Promise<void> {
  for (const path of forms) {
    for (const word of words) {
      const body = new URLSearchParams(
        ['q', 'query', 'search', 'name', 'quota', 'password', 'confirm', 'url', 'id', 'hours'].map((name) => [
          name,
          word,
        ]),
      )
      const type = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
      context.count('forms')
      await ask(context, url + path, { method: 'POST', headers: { cookie, ...type }, body: body.toString() })
    }
  }
}

const rawRequests = [
  'GET / HTTP/1.1\r\n\r\n',
  'GET  /  HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /\0 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'POST /admin/login HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /admin/login HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n',
  'POST /api/upgrade?key=x HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n',
  'GET /api/og?title=%E0%A4%A HTTP/1.1\r\nHost: [::1\r\nConnection: close\r\n\r\n',
]

async function sendRaw(context: FaultContext, { port }: FaultServer): Promise<void> {
  for (const request of rawRequests) {
    context.count('requests that are none')
    const { status } = await rawHttp(port, request).catch(() => ({ status: 0 }))
    if (status >= 500 && status !== 501 && status !== 505)
      context.mistake(`a request that is none was answered ${status}`)
  }
}
