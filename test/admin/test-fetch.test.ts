import { afterAll, beforeAll, expect, test } from 'bun:test'
import { started } from '../support/started.ts'
import { openAdminServer } from './support/admin-server.ts'
import { logIn, type Operator } from './support/operator.ts'

const site = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: () =>
    new Response('<!doctype html><title>&lt;b&gt;A page</title><p>Words.</p>', {
      headers: { 'content-type': 'text/html' },
    }),
})
let operator: Operator

const server = started(() =>
  openAdminServer({
    env: { FETCH_ALLOW_CIDRS: '127.0.0.0/8', FETCH_ALLOW_PORTS: `80,${site.port}` },
  }),
)
beforeAll(async () => {
  operator = await logIn(server)
})
afterAll(async () => {
  await site.stop(true)
})

async function fetched(url: string) {
  return await (await operator.post('/admin/test-fetch', { url })).text()
}

test('a test fetch says what a preview would have found, by the same rules', async () => {
  const html = await fetched(`http://127.0.0.1:${site.port}/`)
  expect(html).toContain('&lt;b&gt;A page')
  expect(html).toContain('ms: name')
  expect(await fetched('http://10.0.0.1/')).toContain('blocked_address')
  expect(await fetched('http://127.0.0.1:1/')).toContain('blocked_port')
  expect(await fetched('nonsense')).toContain('invalid_url')
  expect(await operator.page('/admin/audit')).toContain('fetch.test')
})
