import { expect, test } from 'bun:test'
import { themeNames } from '../../src/assets/og/themes.ts'
import { type HttpCase, testTable } from '../support/http-table.ts'
import { rawGet, rawHttp } from '../support/raw-http.ts'
import { startServer } from '../support/server.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import cases from './bad-input.json' with { type: 'json' }

const server = started(() => startServer({ env: { DEMO_DAILY_QUOTA: '40' } }))

const themes = JSON.stringify(themeNames)
const problem = { 'content-type': 'application/problem+json', 'cache-control': 'no-store' }

/** URLs of the queries that are wrong. */
const mistakes: string[] = []

/** A query that is wrong in one parameter: 400 names it, and nothing else. */
function wrong(name: string, query: string, parameter: string, ...says: string[]): HttpCase {
  const url = `/api/og?demo=1&${query}`
  mistakes.push(url)
  return {
    name,
    url,
    expectedStatus: 400,
    expectedHeaders: problem,
    expectedContent: [`"code":"invalid_query"`, `"errors":[{"parameter":"${parameter}"`, ...says],
    notExpectedContent: ['},{'],
  }
}

testTable(
  () => server,
  [
    ...(cases.named as Parameters<typeof wrong>[]).map((given) => wrong(...given)),
    ...cases.answered,
    wrong('a title too long by one is named', `title=${'W'.repeat(81)}`, 'title', '1 to 80', '81'),
    wrong(
      'a title too long by one astral character is named',
      `title=${'%F0%9F%9A%80'.repeat(81)}`,
      'title',
      '81',
    ),
    wrong('a subtitle too long by one is named', `title=a&subtitle=${'x'.repeat(121)}`, 'subtitle', '120'),
    wrong('an author too long by one is named', `title=a&author=${'x'.repeat(81)}`, 'author', '80'),
    wrong('a url too long by one is named', `title=a&url=${'x'.repeat(121)}`, 'url', '120'),
    wrong('an unknown theme lists the known ones', 'title=a&theme=neon', 'theme', `"allowed":${themes}`),
    wrong('an empty theme lists the known ones', 'title=a&theme=', 'theme', `"allowed":${themes}`),
    {
      name: 'all wrong parameters are named at once',
      url: '/api/og?theme=x&format=y&width=z&accent=q&lang=-&demo=2',
      expectedStatus: 400,
      expectedContent: ['title', 'theme', 'format', 'width', 'accent', 'lang', 'demo'].map(
        (name) => `"parameter":"${name}"`,
      ),
    },
    ...(cases.told as unknown as readonly HttpCase[]),
    ...['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => ({
      name: `${method} is answered with the methods that work`,
      method,
      url: '/api/og?title=a&demo=1',
      expectedStatus: 405,
      expectedHeaders: { allow: 'GET, HEAD, OPTIONS', ...problem },
      expectedContent: ['"code":"method_not_allowed"'],
    })),
  ],
)

const valid = [...cases.valid, ['80 W', 'W'.repeat(80)], ['piled marks', `Z${'\u0351'.repeat(40)}algo`]]

test.each(valid)('a title with %s is drawn as text', async (_, title) => {
  const query = new URLSearchParams({ title, demo: '1' })
  const response = await fetch(`${server.url}/api/og?${query}`)
  const svg = await response.text()
  expect(response.status).toBe(200)
  expect(svg).not.toContain('<script')
  expect(svg).toContain('</svg>')
})

test('what the query got wrong is not counted', async () => {
  async function remaining(title: string) {
    const { headers } = await fetch(`${server.url}/api/og?title=${title}&demo=1`)
    return Number(headers.get('x-quota-remaining'))
  }
  const before = await remaining('before')
  for (const path of mistakes) await (await fetch(server.url + path)).arrayBuffer()
  expect(await remaining('after')).toBe(before - 1)
})

test('a URL of 20 KB is refused with 431 and a problem', async () => {
  const { status, text } = await rawHttp(
    server.port,
    rawGet(`/api/og?title=${'a'.repeat(20_000)}`, 'localhost'),
  )
  expect(status).toBe(431)
  expect(text).toContain('"code":"too_large"')
})

test('headers of 20 KB are refused with 431 and a problem, on a path that is cached too', async () => {
  const path = '/api/og?title=cached&demo=1'
  await (await fetch(server.url + path)).arrayBuffer()
  const { status, text } = await rawHttp(
    server.port,
    rawGet(path, 'localhost', [`X-B: ${'a'.repeat(20_000)}`]),
  )
  expect(status).toBe(431)
  expect(text).toContain('"code":"too_large"')
})

test('a header of 1 MB ends with 431', async () => {
  const { status } = await rawHttp(
    server.port,
    rawGet('/healthz', 'localhost', [`X-Big: ${'a'.repeat(1_000_000)}`]),
  )
  expect(status).toBe(431)
})

test('a body over 64 KiB is refused with 413', async () => {
  const response = await fetch(`${server.url}/api/og?title=a`, { method: 'POST', body: 'x'.repeat(65_537) })
  expect(response.status).toBe(413)
  expect(await response.text()).toContain('"code":"too_large"')
})

test('a chunked body over 64 KiB is refused with 413, though nobody declared its length', async () => {
  const chunk = 'x'.repeat(70_000)
  const head =
    'POST /api/upgrade HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n'
  const { status, text } = await rawHttp(
    server.port,
    `${head}${chunk.length.toString(16)}\r\n${chunk}\r\n0\r\n\r\n`,
  )
  expect(status).toBe(413)
  expect(text).toContain('"code":"too_large"')
})

const form = 'application/x-www-form-urlencoded'

test.each(['/api/upgrade', '/admin/login'])(
  'a form of %s has 1,100 fields at most, and is refused by name with more',
  async (path) => {
    async function send(body: string, contentType = form) {
      const headers = { 'content-type': contentType, origin: server.url }
      return await (await fetch(`${server.url}${path}`, { method: 'POST', body, headers })).text()
    }
    const refusal = '"code":"invalid_body"'
    expect(await send('a=b&'.repeat(1_100))).toContain(refusal)
    expect(await send('&'.repeat(65_000))).toContain('A form may have 1,100 fields.')
    expect(await send('a=b&'.repeat(1_100), 'text/plain')).toContain(refusal)
    expect(await send(`${'a=b&'.repeat(1_099)}c=d`)).not.toContain(refusal)
    expect(await send(JSON.stringify({ a: '&'.repeat(1_100) }), 'application/json')).not.toContain(refusal)
  },
)

test('a chunked form has no more fields than one of a declared length', async () => {
  const body = 'a=b&'.repeat(1_100)
  const head = `POST /api/upgrade HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: ${form}\r\n`
  const { status, text } = await rawHttp(
    server.port,
    `${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  )
  expect(status).toBe(400)
  expect(text).toContain('"code":"invalid_body"')
})

const errorServer = started(() =>
  startService({ env: { KEYS_PER_IP_PER_DAY: '1', FETCH_UNPAID_PER_MINUTE: '10' } }),
)

test.each(cases.wrong as unknown as [path: string, parameters: string[]][])(
  '%s is told everything that is wrong with it, each once',
  async (path, parameters) => {
    const answer = await fetch(errorServer.url + path)
    const { errors } = (await answer.json()) as { errors: { parameter: string }[] }
    expect([answer.status, errors.map(({ parameter }) => parameter)]).toEqual([400, [...parameters]])
  },
)

test('every error says its code in its body, whatever its status', async () => {
  const { id } = await (await fetch(`${errorServer.url}/api/key`)).json()
  const signature = `key=${id}&t=1700000000&sig=${'ab'.repeat(32)}`
  const page = encodeURIComponent('http://127.0.0.1:80/')
  const calls: readonly (readonly [status: number, code: string, path: string, init?: RequestInit])[] = [
    ...(cases.calls as [status: number, code: string, path: string, init?: RequestInit][]),
    [402, 'payment_required', `/api/upgrade?key=${id}`, { method: 'POST' }],
    [402, 'invalid_signature', `/api/og?title=A&${signature}`],
    [402, 'invalid_signature', `/api/usage?${signature}`],
    [402, 'invalid_key', `/i/og/mk_2345678abcdefghj/dGl0bGU9QQ/${'ab'.repeat(16)}.svg`],
    [402, 'payments_off', '/api/og?title=A', { headers: { 'x-payment': `0x${'ab'.repeat(32)}` } }],
    [403, 'blocked_address', `/api/preview?url=${page}&demo=1`],
    [413, 'too_large', '/api/upgrade', { method: 'POST', body: 'a'.repeat(70_000) }],
    [502, 'upstream_failed', '/api/preview?url=http%3A%2F%2Fnobody.invalid.mintmark-test.com%2F&demo=1'],
  ]
  for (const [status, code, path, init] of calls) {
    const answer = await fetch(errorServer.url + path, init)
    const body = await answer.json()
    const { error = code } = body
    const start = path.slice(0, 60)
    expect([start, answer.status, body.code, error]).toEqual([start, status, code, code])
  }
})
