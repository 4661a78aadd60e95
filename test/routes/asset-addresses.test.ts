import { expect, test } from 'bun:test'
import { readStartConfig } from '../../src/cli/read-start-config.ts'
import { embedUrl } from '../../src/client/embed-url.ts'
import { signUrl } from '../../src/client/sign-url.ts'
import { fromCompatibilityUrl } from '../../src/routes/compatibility/compatibility-urls.ts'
import { createService } from '../../src/service.ts'
import { issueKeyPair } from '../support/issue-key-pair.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'

const server = started(startService)
const pair = started(() => issueKeyPair(server))

const pictures = [
  ['badge', 'label=build&value=passing'],
  ['badge', 'value=1&format=png&cacheSeconds=600'],
  ['avatar', 'name=Ada+Lovelace&shape=square'],
] as const

function named(headers: Headers) {
  return ['etag', 'content-type', 'cache-control', 'content-disposition', 'content-security-policy'].map(
    (name) => headers.get(name),
  )
}

test.each(pictures)('/api/%s?%s is what /api/transform makes of the same parameters', async (kind, query) => {
  const own = await fetch(`${server.url}/api/${kind}?${query}&demo=1`)
  const shared = await fetch(`${server.url}/api/transform?kind=${kind}&${query}&demo=1`)
  expect([own.status, ...named(own.headers)]).toEqual([200, ...named(shared.headers)])
  expect(await own.bytes()).toEqual(await shared.bytes())
  const head = await fetch(`${server.url}/api/${kind}?${query}&demo=1`, { method: 'HEAD' })
  expect([head.status, ...named(head.headers)]).toEqual([200, ...named(own.headers)])
  const etag = own.headers.get('etag') ?? ''
  const again = await fetch(`${server.url}/api/${kind}?${query}`, { headers: { 'if-none-match': etag } })
  expect(again.status).toBe(304)
})

test('stats and preview have addresses of their own, and each mistake is told there', async () => {
  expect(await (await fetch(`${server.url}/api/stats`)).json()).toMatchObject({ kind: 'stats' })
  const expected = 'image/svg+xml'
  expect((await fetch(`${server.url}/api/stats?format=svg`)).headers.get('content-type')).toBe(expected)
  const wrong = await fetch(`${server.url}/api/preview?url=nowhere&demo=1`)
  expect([wrong.status, ((await wrong.json()) as { detail: string }).detail]).toEqual([
    400,
    expect.stringContaining('url'),
  ])
})

test('a kind in the query of an own address changes nothing', async () => {
  const badge = await fetch(`${server.url}/api/badge?kind=avatar&value=ok&demo=1`)
  expect([badge.status, badge.headers.get('content-disposition')]).toEqual([200, 'inline; filename="ok.svg"'])
})

test('the path that is signed is the path that is called', async () => {
  for (const sign of [signUrl, (url: string) => embedUrl(url, {}, pair)]) {
    const signed = new URL(await sign(`${server.url}/api/badge?value=signed`, pair))
    expect((await fetch(signed)).headers.get('x-auth-mode')).toBe('key')
    signed.pathname = '/api/avatar'
    signed.searchParams.set('name', 'Ada')
    expect((await fetch(signed)).status).toBe(402)
  }
  const signed = await signUrl(`${server.url}/api/badge?value=a`, pair)
  const moved = await fetch(signed.replace('/api/badge?', '/api/transform?kind=badge&'))
  const expected = [402, 'invalid_signature']
  expect([moved.status, ((await moved.json()) as { error: string }).error]).toEqual(expected)
})

test('calls at both addresses are counted as calls of the one asset', async () => {
  // A server of its own: free calls, which other tests make, are counted up to a second later.
  const counting = await startService()
  await fetch(`${counting.url}/api/avatar?name=Grace&demo=1`)
  await fetch(`${counting.url}/api/transform?kind=avatar&name=Hopper&demo=1`)
  const stats = await (await fetch(`${counting.url}/api/stats`)).json()
  expect(stats).toMatchObject({ day: { by_endpoint: { avatar: 2 } } })
  await counting.stop()
})

test('documents give each asset by its own address', async () => {
  for (const page of ['/', '/docs', '/llms.txt']) {
    const text = await (await fetch(server.url + page)).text()
    for (const path of ['/api/badge', '/api/avatar', '/api/preview']) expect(text).toContain(path)
    expect(text).not.toContain('/api/transform?kind=badge&')
  }
})

const config = await readStartConfig(
  { DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'silent', MASTER_KEY: 'ab'.repeat(32) },
  () => '',
)
const service = await createService({ config, readFile: () => '', write: () => {} })
const paths = (await service.routes()).map(({ path }) => path)
await service.close()

test.each(paths)('no compatibility URL hides our own %s', (path) => {
  expect(fromCompatibilityUrl({ path, rawQuery: '' })).toBeUndefined()
})

test('documents, assets and the operator’s area are among them', () => {
  expect(paths).toEqual(
    expect.arrayContaining(['/api/og', '/api/og.png', '/api/usage', '/admin', '/openapi.json']),
  )
})
