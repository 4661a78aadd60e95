import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import {
  type Admission,
  createLoginOrigins,
  createLoginThrottle,
} from '../../admin/session/login-throttle.ts'
import { prune } from '../../src/store/prune.ts'
import { run } from '../store/runtimes.ts'
import { temporaryDirectory } from '../store/temporary-directory.ts'
import { openTestStore } from '../support/test-store.ts'
import { openAdminServer } from './support/admin-server.ts'
import { logIn, sameOrigin } from './support/operator.ts'

const server = await openAdminServer()
afterAll(() => server.close())

const routes = (await server.service.routes()).filter(({ path }) => path.startsWith('/admin'))
const open = new Set(['/admin/login', '/admin/setup'])
function filled(path: string) {
  return path
    .replace(':id', 'mk_2222222222222222')
    .replace(':slug', 'none')
    .replace(':revision', '1')
    .replace(':address', '0'.repeat(32))
}
function urlOf(path: string) {
  return server.url + filled(path)
}

describe('without a session', () => {
  test.each(routes.map(({ method, path }) => [method, path] as const))(
    '%s %s gives nothing away',
    async (method, path) => {
      const answer = await fetch(urlOf(path), { method, headers: sameOrigin, redirect: 'manual' })
      const isDoor = answer.status === 303 && answer.headers.get('location')?.startsWith('/admin/login')
      if (!open.has(path)) expect([path, isDoor]).toEqual([path, true])
      else expect([200, 401]).toContain(answer.status)
      expect(answer.headers.get('cache-control')).toBe('no-store')
    },
  )

  test('there is a route for every page and form of the specification', () => {
    expect(routes.length).toBeGreaterThan(25)
  })
})

describe('a write', () => {
  const writes = routes.filter(({ method }) => method === 'POST')
  test.each(writes.map(({ path }) => [path] as const))('to %s is refused from another site', async (path) => {
    const { cookie } = await operator
    const foreign: Record<string, string>[] = [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `${server.url}.evil.example` },
    ]
    for (const headers of foreign) {
      const answer = await fetch(urlOf(path), {
        method: 'POST',
        headers: { cookie, ...headers },
        redirect: 'manual',
      })
      expect([headers, answer.status]).toEqual([headers, 403])
    }
  })

  test('by an older browser is checked by its Origin', async () => {
    const { cookie } = await operator
    const answer = await fetch(`${server.url}/admin/keys`, {
      method: 'POST',
      body: new URLSearchParams({ name: 'x' }),
      headers: { cookie, origin: server.url },
      redirect: 'manual',
    })
    expect(answer.status).toBe(303)
  })
})
const operator = logIn(server)

describe('a page', () => {
  test.each(
    routes
      .filter(({ method, path }) => method === 'GET' && !path.includes('events'))
      .map(({ path }) => [path] as const),
  )('%s allows no inline script or style, no frame and no copy', async (path) => {
    const answer = await (await operator).get(filled(path))
    expect(answer.headers.get('cache-control')).toBe('no-store')
    if (!answer.headers.get('content-type')?.startsWith('text/html')) return
    const policy = answer.headers.get('content-security-policy') ?? ''
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "frame-ancestors 'none'",
    ])
      expect(policy).toContain(rule)
    expect(policy).not.toContain('unsafe')
    expect(await answer.text()).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=/i)
  })
})

describe('ADMIN_HOST', () => {
  test('is the only host that serves the area', async () => {
    const other = await openAdminServer({
      env: { ADMIN_HOST: 'desk.example', BASE_URL: 'https://mint.example' },
    })
    try {
      function ask(host: string) {
        return fetch(`${other.url}/admin/login`, { headers: { host } })
      }
      expect((await ask('desk.example')).status).toBe(200)
      expect((await ask('mint.example')).status).toBe(404)
      expect((await fetch(`${other.url}/admin`, { redirect: 'manual' })).status).toBe(404)
    } finally {
      await other.close()
    }
  })
})

const clock = { nowMs: 1_000_000, now: () => clock.nowMs }
const directory = temporaryDirectory()

interface House {
  /** The throttle as it meets a login from an address, or from a browser that sends a session's cookie too. */
  admit(address: string, sessionId?: string): Promise<Admission>
  trust(address: string, sessionId?: string): Promise<void>
}

async function openThrottle(path = ':memory:'): Promise<House> {
  const store = await openTestStore({ path, clock })
  const throttle = createLoginThrottle({ store, clock })
  const origins = createLoginOrigins(store, clock)
  return {
    admit: async (address, sessionId) => throttle.admit(await origins.bucketOf({ address, sessionId })),
    trust: (address, sessionId) => store.transaction(() => origins.add({ address, sessionId })),
  }
}

async function fail(throttle: House, address: string, sessionId?: string): Promise<boolean> {
  const admission = await throttle.admit(address, sessionId)
  if (admission.admitted) await admission.done(false)
  return admission.admitted
}

async function inTurn<T>(times: number, work: (n: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  for (let n = 0; n < times; n += 1) results.push(await work(n))
  return results
}

test('addresses of one IPv6 network share their attempts, and other networks have their own', async () => {
  const throttle = await openThrottle()
  const tries = await inTurn(7, (n) => fail(throttle, `2001:db8:1:2::${n}`))
  expect(tries).toEqual([true, true, true, true, true, false, false])
  expect(await fail(throttle, '2001:db8:1:3::1')).toBe(true)
})

test('fifty wrong passwords from anywhere lock out every untrusted address, until the first of them is old', async () => {
  const throttle = await openThrottle()
  for (let n = 0; n < 50; n += 1) expect(await fail(throttle, `192.0.2.${n}`)).toBe(true)
  expect(await throttle.admit('198.51.100.1')).toEqual({ admitted: false, retryAfterSeconds: 900 })
  clock.nowMs += 900_000
  expect(await fail(throttle, '198.51.100.1')).toBe(true)
})

describe('an operator who has logged in before', () => {
  test('logs in from that address, whatever others do, and has five attempts like everybody', async () => {
    const throttle = await openThrottle()
    await throttle.trust('198.51.100.1')
    await throttle.trust('2001:db8:1:2::1')
    for (let n = 0; n < 60; n += 1) await fail(throttle, `192.0.2.${n}`)
    expect(await fail(throttle, '198.51.100.2')).toBe(false)
    expect(await fail(throttle, '2001:db8:1:2:ffff::9')).toBe(true)
    const tries = await inTurn(7, () => fail(throttle, '198.51.100.1'))
    expect(tries).toEqual([true, true, true, true, true, false, false])
  })

  test('logs in with the same browser, even from a new address or one that a stranger shares', async () => {
    const throttle = await openThrottle()
    await throttle.trust('198.51.100.1', 'once')
    for (let n = 0; n < 60; n += 1) await fail(throttle, `192.0.2.${n}`)
    for (let n = 0; n < 6; n += 1) await fail(throttle, '198.51.100.1')
    expect((await throttle.admit('198.51.100.1')).admitted).toBe(false)
    expect((await throttle.admit('198.51.100.1', 'made-up')).admitted).toBe(false)
    expect((await throttle.admit('203.0.113.9', 'made-up')).admitted).toBe(false)
    expect(await fail(throttle, '198.51.100.1', 'once')).toBe(true)
    const tries = await inTurn(5, () => fail(throttle, '203.0.113.9', 'once'))
    expect(tries).toEqual([true, true, true, true, false])
  })

  test('does not wait while passwords of strangers are verified', async () => {
    const throttle = await openThrottle()
    await throttle.trust('198.51.100.1')
    await throttle.admit('192.0.2.1')
    await throttle.admit('192.0.2.2')
    expect((await throttle.admit('192.0.2.3')).admitted).toBe(false)
    expect((await throttle.admit('198.51.100.1')).admitted).toBe(true)
  })

  test('is trusted for half a year, with at most a hundred addresses and sessions', async () => {
    const store = await openTestStore({ path: ':memory:', clock })
    const origins = createLoginOrigins(store, clock)
    for (let n = 0; n < 150; n += 1) {
      clock.nowMs += 1
      await store.transaction(() => origins.add({ address: `10.0.0.${n}`, sessionId: `session-${n}` }))
    }
    async function known(address: string) {
      return (await origins.bucketOf({ address })).isTrusted
    }
    expect(await known('10.0.0.49')).toBe(false)
    expect(await known('10.0.0.50')).toBe(true)
    expect(await known('10.0.0.149')).toBe(true)
    const forgotten = await origins.bucketOf({ address: '1.1.1.1', sessionId: 'session-49' })
    expect(forgotten.isTrusted).toBe(false)
    clock.nowMs += 179 * 86_400_000
    await prune(store, clock)
    expect(await known('10.0.0.149')).toBe(true)
    clock.nowMs += 2 * 86_400_000
    await prune(store, clock)
    expect(await known('10.0.0.149')).toBe(false)
  })
})

test('a right password does not count as an attempt', async () => {
  const throttle = await openThrottle()
  for (let n = 0; n < 20; n += 1) {
    const admission = await throttle.admit('192.0.2.1')
    expect(admission.admitted).toBe(true)
    if (admission.admitted) await admission.done(true)
  }
})

test('two verifications run at once, and the next starts when one is done', async () => {
  const throttle = await openThrottle()
  const first = await throttle.admit('192.0.2.1')
  await throttle.admit('192.0.2.2')
  expect((await throttle.admit('192.0.2.3')).admitted).toBe(false)
  if (first.admitted) await first.done(true)
  expect((await throttle.admit('192.0.2.3')).admitted).toBe(true)
})

test('two processes that share a store count attempts together, also those being verified', async () => {
  const path = join(directory, 'two.sqlite')
  const throttles = await Promise.all([openThrottle(path), openThrottle(path)])
  const admissions = await inTurn(10, async (n) => {
    const admission = await throttles[n % 2 === 0 ? 0 : 1].admit('192.0.2.1')
    // The last one of the five is still being checked while the others try.
    if (admission.admitted && n < 4) await admission.done(false)
    return admission
  })
  expect(admissions.filter(({ admitted }) => admitted)).toHaveLength(5)
  const [last] = admissions.filter(({ admitted }) => admitted).slice(-1)
  if (last?.admitted) await last.done(true)
  expect((await throttles[1].admit('192.0.2.1')).admitted).toBe(true)
})

test('processes that try at the same moment have exactly five attempts together, on Bun and on Deno', async () => {
  const path = join(directory, 'guesses.sqlite')
  const outputs = await Promise.all(
    (['bun', 'bun', 'deno'] as const).map((runtime) =>
      run(runtime, 'test/admin/children/wrong-passwords.ts', path, '192.0.2.1', '40'),
    ),
  )
  expect(outputs.map(Number).reduce((sum, looked) => sum + looked, 0)).toBe(5)
})

test('a clock that is set back locks nobody out for longer than the quarter of an hour', async () => {
  const path = join(directory, 'back.sqlite')
  const throttle = await openThrottle(path)
  for (let n = 0; n < 5; n += 1) await fail(throttle, '192.0.2.1')
  clock.nowMs -= 600_000
  expect(await throttle.admit('192.0.2.1')).toEqual({ admitted: false, retryAfterSeconds: 900 })
  clock.nowMs -= 86_400_000
  expect(await fail(throttle, '192.0.2.1')).toBe(true)
})
