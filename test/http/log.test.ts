import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

test('every request leaves one line, with the id that its answer carries', async () => {
  const paths = ['/api/og?title=Logged&demo=1', '/api/og?title=Logged', '/api/og', '/nope', '/healthz']
  for (const path of paths) {
    const response = await fetch(server.url + path)
    const id = response.headers.get('x-request-id')
    let found = server.lines.filter((line) => line['id'] === id)
    for (let tries = 0; found.length === 0 && tries < 100; tries++) {
      await Bun.sleep(10)
      found = server.lines.filter((line) => line['id'] === id)
    }
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({
      level: 'info',
      message: 'request',
      method: 'GET',
      path: path.split('?')[0],
      status: response.status,
      ms: expect.any(Number),
    })
    // Who called is told only where something was refused.
    expect(found[0]?.['client']).toBe(response.ok ? undefined : '127.0.0.1')
  }
})

test('no signature, key, payment or word of the query is logged', async () => {
  const sig = 'ab'.repeat(32)
  await fetch(`${server.url}/api/og?title=PrivateWords&key=mk_private&t=1700000000&sig=${sig}`, {
    headers: {
      'x-payment': `0x${'cd'.repeat(32)}`,
      'x-payment-proof': 't=1,sig=0xproofproof',
      authorization: 'Payment topsecret',
      cookie: 'session=cookiesecret',
    },
  })
  await fetch(`${server.url}/healthz`)
  await Bun.sleep(250)
  const everything = JSON.stringify(server.lines)
  for (const secret of [
    'PrivateWords',
    'mk_private',
    sig,
    'cdcdcd',
    'proofproof',
    'topsecret',
    'cookiesecret',
  ]) {
    expect(everything).not.toContain(secret)
  }
})
