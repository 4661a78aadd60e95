import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eventually } from '../support/eventually.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

test('every request leaves one line, with the id that its answer carries', async () => {
  const ids: string[] = []
  const paths = ['/api/og?title=Logged&demo=1', '/api/og?title=Logged', '/api/og', '/nope', '/healthz']
  for (const path of paths) {
    const response = await fetch(server.url + path)
    const id = response.headers.get('x-request-id')
    const line = await eventually(() => server.lines.find((one) => one['id'] === id))
    expect(line).toMatchObject({
      level: 'info',
      message: 'request',
      method: 'GET',
      path: path.split('?')[0],
      status: response.status,
      ms: expect.any(Number),
    })
    // Who called is told only where something was refused.
    expect(line['client']).toBe(response.ok ? undefined : '127.0.0.1')
    ids.push(String(id))
  }
  for (const id of ids) expect(server.lines.filter((line) => line['id'] === id)).toHaveLength(1)
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
  // Lines are written in the order of the requests.
  const last = (await fetch(`${server.url}/healthz`)).headers.get('x-request-id')
  await eventually(() => server.lines.some((line) => line['id'] === last))
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
