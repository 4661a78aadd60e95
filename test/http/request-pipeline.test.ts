import { expect, spyOn, test } from 'bun:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Problem } from '../../src/errors.ts'
import { createPeerReader } from '../../src/http/request-checks.ts'
import { readHead } from '../../src/http/request-context.ts'
import { createRequestPipeline } from '../../src/http/request-pipeline.ts'
import { createLog } from '../../src/lib/log.ts'
import cases from './request-pipeline.json' with { type: 'json' }

/** The front door before a router that the test writes. */
function doorTo(route: (request: Request) => Response | Promise<Response>, observe: () => void = () => {}) {
  const written: string[] = []
  const log = createLog({ level: 'info', write: (lines) => written.push(lines), now: () => 0 })
  const fetch = createRequestPipeline({ route, log, observe, allowedHosts: [], trustedProxies: [] })
  return {
    ask: (path = '/', init: RequestInit = {}) =>
      fetch(new Request(`http://localhost${path}`, init), () => '127.0.0.1'),
    logged: () => {
      log.flush()
      return written.join('')
    },
  }
}

const secret = 'SELECT * FROM secrets'

test.each([
  ['an error', () => new Error(secret)],
  ['a string', () => secret],
  ['nothing', () => undefined],
  [
    'an error with a status of its own',
    () => Object.assign(new Error(secret), { status: 418, code: 'NOT_FOUND' }),
  ],
])('when a handler throws %s the caller learns nothing of it, and the operator all', async (name, thrown) => {
  const { ask, logged } = doorTo(() => {
    throw thrown()
  })
  const response = await ask('/api/x')
  const text = await response.text()
  expect(response.status).toBe(500)
  expect(JSON.parse(text)).toMatchObject({ code: 'internal', status: 500 })
  for (const part of ['SELECT', '.ts']) expect(text).not.toContain(part)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(logged()).toContain(`"id":"${response.headers.get('x-request-id')}"`)
  if (name !== 'nothing') expect(logged()).toContain(secret)
})

test('a problem is told with its headers', async () => {
  const { ask } = doorTo(() => {
    throw new Problem('busy', 'Too much to do.', {
      headers: { 'retry-after': '7' },
      members: { reason: 'queue' },
    })
  })
  const response = await ask()
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '7'])
  expect(await response.json()).toMatchObject({ code: 'busy', detail: 'Too much to do.', reason: 'queue' })
})

test('two requests never have the same id', async () => {
  const { ask } = doorTo(() => new Response('x'))
  const { ask: askOther } = doorTo(() => new Response('x'))
  const answers = await Promise.all([ask(), ask(), ask(), askOther(), askOther()])
  const ids = new Set(answers.map(({ headers }) => headers.get('x-request-id')))
  expect(ids.size).toBe(5)
})

test('what a handler decided about its headers stays', async () => {
  const page = { 'content-type': 'text/html', 'content-security-policy': "default-src 'self'" }
  const { ask } = doorTo(() => new Response('<p>', { headers: page }))
  expect((await ask()).headers.get('content-security-policy')).toBe("default-src 'self'")
})

test('the operator’s area is closed to scripts of other origins', async () => {
  const { ask } = doorTo(() => new Response('x'))
  expect((await ask('/admin/keys')).headers.get('access-control-allow-origin')).toBeNull()
  expect((await ask('/api/x')).headers.get('access-control-allow-origin')).toBe('*')
})

test('a body reaches the router', async () => {
  const { ask } = doorTo(async (request) => new Response(`${request.method} ${await request.text()}`))
  expect(await (await ask('/', { method: 'POST', body: 'hello' })).text()).toBe('POST hello')
})

test('HEAD of an endless stream ends', async () => {
  const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1)) })
  const { ask } = doorTo(() => new Response(endless, { headers: { 'content-type': 'text/event-stream' } }))
  const response = await ask('/', { method: 'HEAD' })
  expect([response.status, response.headers.get('content-length')]).toEqual([200, null])
})

test('a fault in counting an answer does not change it: it may be paid for already', async () => {
  const { ask, logged } = doorTo(
    () => new Response('paid'),
    () => {
      throw new Error('the counters are broken')
    },
  )
  const response = await ask()
  expect([response.status, await response.text()]).toEqual([200, 'paid'])
  expect(logged()).toContain('the counters are broken')
})

test('requests that arrive at once are routed in several turns, and all are answered', async () => {
  await nextTurn()
  let nowMs = 0
  let routed = 0
  const clock = spyOn(performance, 'now').mockImplementation(() => nowMs)
  const { ask } = doorTo(() => {
    routed += 1
    nowMs += 1
    return new Response('x')
  })
  try {
    const answers = Array.from({ length: 20 }, () => ask())
    for (let microtask = 0; microtask < 20; microtask += 1) await undefined
    expect(routed).toBe(3)
    const responses = await Promise.all(answers)
    expect([responses.map(({ status }) => status), routed]).toEqual([responses.map(() => 200), 20])
  } finally {
    clock.mockRestore()
  }
})

function headOf(headers: HeadersInit) {
  const request = new Request('http://localhost/api/og', { headers })
  return readHead(request)
}

const urlChars = 'http://localhost/api/og'.length

test.each(cases.headers as [string, [string, string][]][])(
  '%s count towards the limit of a head',
  (_, given) => {
    const names = new Set(given.map(([name]) => name.toLowerCase()))
    const values = given.map(([, value]) => value)
    expect(headOf(given).bytes).toBeGreaterThan(urlChars + [...names, ...values].join('').length)
    const most = given.reduce((sum, [name, value]) => sum + name.length + value.length + 4, urlChars)
    expect(headOf(given).bytes).toBeLessThanOrEqual(most)
  },
)

test('what is not said is not there, whatever objects have by themselves', () => {
  expect(headOf({})).toMatchObject({
    bodyBytes: 0,
    host: null,
    ifNoneMatch: null,
    acceptEncoding: null,
    hasPayment: false,
  })
})

test.each(['X-Payment', 'PAYMENT-SIGNATURE', 'Authorization'])('%s is a payment header', (name) => {
  expect(headOf({ [name]: '' }).hasPayment).toBe(true)
})

test('a body is as long as it is said to be', () => {
  expect(headOf({ 'content-length': '70000' }).bodyBytes).toBe(70_000)
})

const read = createPeerReader(['10.0.0.0/8', 'fd00::/8'])

function ask(socketAddress: string, headers: Record<string, string> = {}) {
  return read(new Request('http://localhost/', { headers }), () => socketAddress)
}

test.each(cases.clients)(
  'a request from %s that was forwarded for %s is from %s',
  (socket, forwarded, expected) => {
    expect(ask(socket, { 'x-forwarded-for': forwarded }).address).toBe(expected)
  },
)

test('without a forwarding header the caller is whoever holds the socket', () => {
  expect([ask('10.0.0.1').address, ask('::ffff:192.0.2.1').address]).toEqual(['10.0.0.1', '192.0.2.1'])
})

test('only a trusted proxy may say that the caller came by https', () => {
  const forwarded = { 'x-forwarded-proto': 'https' }
  expect([ask('10.0.0.1', forwarded).isSecure, ask('192.0.2.1', forwarded).isSecure]).toEqual([true, false])
})
