import { afterEach, expect, test } from 'bun:test'
import { lastRequestsMs } from '../../src/cli/end-signals.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { runtimes, slowTest } from '../support/test-size.ts'

let server: TestServer | undefined
afterEach(() => server?.stop('SIGKILL'))

test('SIGTERM turns /readyz first, answers what is under way, and exits with 0', async () => {
  server = await startServer({ env: { DRAIN_MS: '10000' } })
  const { url } = server
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  const exit = server.stop()
  let ready = await fetch(`${url}/readyz`)
  while (ready.status === 200) ready = await fetch(`${url}/readyz`)
  expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await ready.text()).toContain('"code":"not_ready"')
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  const underWay = Array.from({ length: 8 }, (_, n) => fetch(`${url}/api/og.png?title=drain+${n}&demo=1`))
  const answers = await Promise.all(underWay.map(async (call) => (await call).status))
  expect(answers).toEqual(answers.map(() => 200))
  expect(await exit).toBe(0)
  expect(server.lines.at(-1)).toMatchObject({ message: 'stopped' })
  await expect(fetch(`${url}/healthz`)).rejects.toThrow()
})

slowTest('a keep-alive connection that is idle does not hold the exit', async () => {
  server = await startServer()
  await (await fetch(`${server.url}/healthz`, { keepalive: true })).text()
  const startMs = performance.now()
  expect(await server.stop()).toBe(0)
  // Requests that are under way are waited for longer than this.
  expect(performance.now() - startMs).toBeLessThan(lastRequestsMs)
})

for (const runtime of runtimes) {
  slowTest(`several workers on ${runtime} share one port and one quota, and end together`, async () => {
    const port = await freePort()
    server = await startServer({ runtime, env: { PORT: String(port), WORKERS: '3', DEMO_DAILY_QUOTA: '30' } })
    const { url, lines } = server
    await eventually(() => lines.length >= 3)
    const pids = new Set(lines.filter(({ message }) => message === 'listening').map(({ pid }) => pid))
    expect(pids.size).toBe(3)
    const calls = Array.from({ length: 60 }, async (_, n) => {
      const response = await fetch(`${url}/api/og?title=w${n % 3}&demo=1`, { keepalive: false })
      return response.status
    })
    const statuses = await Promise.all(calls)
    expect(statuses.toSorted()).toEqual([...Array(30).fill(200), ...Array(30).fill(402)])
    expect(await server.stop()).toBe(0)
  })
}

slowTest('wrong settings stop the start, and all of them are named', async () => {
  const start = startServer({
    env: { PORT: 'x', X402_PAYTO: '0x0', CACHE_MB: '-1', ADMIN_PASSWORD: 'short' },
  })
  const message = await start.then(() => '', String)
  for (const name of ['PORT', 'X402_PAYTO', 'CACHE_MB', 'ADMIN_PASSWORD'])
    expect(message).toContain(`- ${name} `)
  expect(message).not.toContain('short')
})

test('while it drains it asks clients to reuse no connection, so that no next request is cut off', async () => {
  server = await startServer({ env: { DRAIN_MS: '600000' } })
  const { url } = server
  async function ask() {
    return (await fetch(`${url}/api/og?title=keep&demo=1`)).headers.get('connection')
  }
  expect(await ask()).not.toBe('close')
  void server.stop()
  await eventually(async () => (await ask()) === 'close')
})

test('a request that is late by a moment is answered as long as others are under way', async () => {
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  const { promise: page, resolve: answer } = Promise.withResolvers<Response>()
  using site = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch() {
      ask()
      return page
    },
  })
  const pageUrl = `http://127.0.0.1:${site.port}/`
  server = await startServer({
    env: { DRAIN_MS: '0', FETCH_ALLOW_CIDRS: '127.0.0.0/8', FETCH_ALLOW_PORTS: String(site.port) },
  })
  const { url } = server
  const slow = fetch(`${url}/api/card?page=${encodeURIComponent(pageUrl)}&fallback=error&demo=1`)
  await asked
  const exit = server.stop()
  await eventually(async () => (await fetch(`${url}/readyz`, { keepalive: false })).status === 503)
  expect((await fetch(`${url}/api/og?title=late&demo=1`, { keepalive: false })).status).toBe(200)
  answer(new Response('<title>Slow</title>', { headers: { 'content-type': 'text/html' } }))
  expect([(await slow).status, await exit]).toEqual([200, 0])
})
