import { expect, test } from 'bun:test'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'

const server = started(() =>
  startService({ env: { KEYS_PER_IP_PER_DAY: '1', FETCH_UNPAID_PER_MINUTE: '10' } }),
)

test.each([
  ['/api/og?demo=1&width=600', ['title', 'width']],
  ['/api/og?demo=1&width=600&format=gif', ['title', 'format']],
  ['/api/sitemap?domain=localhost&max=0&demo=1', ['max', 'domain']],
  ['/api/sitemap?domain=a&domain=b&format=zip&file=robots.txt&demo=1', ['domain', 'file']],
  ['/api/transform?kind=badge&demo=1&color=zzz', ['color', 'value']],
  ['/api/transform?kind=badge&demo=1&value=a&logo=nosuchlogo&scale=9', ['scale', 'logo']],
  ['/api/transform?kind=badge&demo=1&value=a&logo=no&logo=github', ['logo']],
  ['/api/transform?kind=stats&format=svg&color=zz&logo=zz9', ['color', 'logo']],
  ['/api/transform?kind=zz&demo=7', ['kind', 'demo']],
] as const)('%s is told everything that is wrong with it, each once', async (path, parameters) => {
  const answer = await fetch(server.url + path)
  const { errors } = (await answer.json()) as { errors: { parameter: string }[] }
  expect([answer.status, errors.map(({ parameter }) => parameter)]).toEqual([400, [...parameters]])
})

test('every error says its code in its body, whatever its status', async () => {
  const { id } = await (await fetch(`${server.url}/api/key`)).json()
  const signature = `key=${id}&t=1700000000&sig=${'ab'.repeat(32)}`
  const page = encodeURIComponent('http://127.0.0.1:80/')
  const calls: readonly (readonly [status: number, code: string, path: string, init?: RequestInit])[] = [
    [400, 'invalid_query', '/api/og?demo=1'],
    [400, 'invalid_path', '/a/%2e%2e%2fb'],
    [400, 'invalid_host', '/', { headers: { host: 'a b' } }],
    [402, 'payment_required', '/api/og?title=A'],
    [402, 'payment_required', `/api/upgrade?key=${id}`, { method: 'POST' }],
    [402, 'invalid_signature', `/api/og?title=A&${signature}`],
    [402, 'invalid_signature', `/api/usage?${signature}`],
    [402, 'invalid_key', `/i/og/mk_2345678abcdefghj/dGl0bGU9QQ/${'ab'.repeat(16)}.svg`],
    [402, 'payments_off', '/api/og?title=A', { headers: { 'x-payment': `0x${'ab'.repeat(32)}` } }],
    [403, 'blocked_address', `/api/preview?url=${page}&demo=1`],
    [404, 'not_found', '/nothing'],
    [404, 'unknown_key', '/api/usage?key=mk_2345678abcdefghj'],
    [405, 'method_not_allowed', '/api/og', { method: 'DELETE' }],
    [413, 'too_large', '/api/upgrade', { method: 'POST', body: 'a'.repeat(70_000) }],
    [429, 'rate_limited', '/api/key'],
    [
      502,
      'upstream_failed',
      `/api/preview?url=${encodeURIComponent('http://nobody.invalid.mintmark-test.com/')}&demo=1`,
    ],
  ]
  for (const [status, code, path, init] of calls) {
    const answer = await fetch(server.url + path, init)
    const body = await answer.json()
    const { error = code } = body
    expect([path.slice(0, 60), answer.status, body.code, error]).toEqual([
      path.slice(0, 60),
      status,
      code,
      code,
    ])
  }
})
