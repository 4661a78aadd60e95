import { afterAll, describe, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { slowTest } from '../support/test-size.ts'
import cases from './login.json' with { type: 'json' }
import { type AdminServer, openAdminServer } from './support/admin-server.ts'
import { logIn, send } from './support/operator.ts'

const hourMs = 3_600_000
const houses: AdminServer[] = []
async function open(options: Parameters<typeof openAdminServer>[0] = {}) {
  const server = await openAdminServer(options)
  houses.push(server)
  return server
}
afterAll(() => Promise.all(houses.map((server) => server.close())))

async function status(answer: Promise<Response>) {
  return (await answer).status
}
async function locationOf(answer: Promise<Response>) {
  return (await answer).headers.get('location')
}

describe('the set-up link', () => {
  test('sets the password once, and is invalid afterwards', async () => {
    const server = await open({ env: { ADMIN_PASSWORD: '' } })
    const token = (await server.service.startSetup()) ?? ''
    const path = `${server.url}/admin/setup`
    expect(await (await fetch(`${server.url}/admin/login`)).text()).toContain('one-time link')
    expect(await (await fetch(`${path}?token=${token}`)).text()).toContain('name="password"')
    expect(await (await fetch(`${path}?token=wrong`)).text()).not.toContain('name="password"')
    expect(await status(send(path, { token: 'wrong', password: 'long enough to be one' }))).toBe(401)
    expect(await status(send(path, { token, password: 'short' }))).toBe(400)
    expect(await status(send(path, { token, password: 'long enough to be one' }))).toBe(303)
    expect(await status(send(path, { token, password: 'another one that is long' }))).toBe(401)
    expect(await server.service.startSetup()).toBeUndefined()
    expect((await logIn(server, 'long enough to be one')).cookie).not.toBe('')
    expect(server.log()).not.toContain(token)
  })

  slowTest(
    'says what became of it: used, replaced by a newer one, or too late for a password that is set',
    async () => {
      const { service, url } = await open({ env: { ADMIN_PASSWORD: '' } })
      async function said(token: string) {
        return /<h1>(.*?)<\/h1>/.exec(await (await fetch(`${url}/admin/setup?token=${token}`)).text())?.[1]
      }
      const older = (await service.startSetup()) ?? ''
      const newer = (await service.startSetup()) ?? ''
      expect(await said(older)).toBe('This link has ended')
      expect(await said(newer)).toBe('Set the password')
      await send(`${url}/admin/setup`, { token: newer, password: 'long enough to be one' })
      expect(await said(newer)).toBe('This link was used')
      expect(await said(older)).toBe('A password is set already')
    },
  )

  slowTest('of two links only the newer one works', async () => {
    const { service, url } = await open({ env: { ADMIN_PASSWORD: '' } })
    const older = (await service.startSetup()) ?? ''
    const newer = (await service.startSetup()) ?? ''
    const password = 'long enough to be one'
    expect(await status(send(`${url}/admin/setup`, { token: older, password }))).toBe(401)
    expect(await status(send(`${url}/admin/setup`, { token: newer, password }))).toBe(303)
  })
})

describe('the login', () => {
  test('lets five wrong passwords through to the check and answers the sixth 429 with Retry-After', async () => {
    const { url, clock } = await open()
    for (let n = 0; n < 5; n += 1)
      expect(await status(send(`${url}/admin/login`, { password: 'wrong' }))).toBe(401)
    const sixth = await send(`${url}/admin/login`, { password: 'wrong' })
    expect(sixth.status).toBe(429)
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(60)
    // Not even the right one is verified.
    expect(await status(send(`${url}/admin/login`, { password: 'correct horse battery' }))).toBe(429)
    clock.aheadMs += 16 * 60_000
    expect(await status(send(`${url}/admin/login`, { password: 'correct horse battery' }))).toBe(303)
  })

  slowTest('stays open for the operator when strangers have locked out everybody else', async () => {
    const { url, clock } = await open({ env: { TRUSTED_PROXIES: '127.0.0.1/32' } })
    function from(address: string, password: string, cookie = '') {
      return send(`${url}/admin/login`, { password }, { 'x-forwarded-for': address, cookie })
    }
    const right = 'correct horse battery'
    const first = await from('198.51.100.1', right)
    const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? ''
    clock.aheadMs += 13 * hourMs
    for (let n = 0; n < 50; n += 1) expect(await status(from(`192.0.2.${n}`, 'wrong'))).toBe(401)
    // A stranger with the right password waits like all strangers, and cannot claim another address without a proxy of ours.
    expect(await status(from('192.0.2.99', right))).toBe(429)
    expect(await status(from('198.51.100.1, 192.0.2.98', right))).toBe(429)
    expect(await status(from('198.51.100.1', right))).toBe(303)
    // The browser of the ended session, from another address.
    expect(await status(from('203.0.113.7', right, cookie))).toBe(303)
    // Somebody behind the same address uses its guesses up.
    for (let n = 0; n < 5; n += 1) expect(await status(from('198.51.100.1', 'wrong'))).toBe(401)
    expect(await status(from('198.51.100.1', right))).toBe(429)
    expect(await status(from('198.51.100.1', right, cookie))).toBe(303)
  })

  test('lets a session confirm the password while its address is locked out', async () => {
    const server = await open({ env: {} })
    const operator = await logIn(server)
    server.clock.aheadMs += hourMs
    for (let n = 0; n < 6; n += 1) await send(`${server.url}/admin/login`, { password: 'wrong' })
    const path = '/admin/keys.csv'
    expect(await status(operator.post(path, { password: 'wrong' }))).toBe(401)
    const answer = await operator.post(path, { password: 'correct horse battery' })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  })

  test('checks two passwords at once and asks the others to wait', async () => {
    const { url } = await open()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => send(`${url}/admin/login`, { password: 'correct horse battery' })),
    )
    const counts = Map.groupBy(answers, (answer) => answer.status)
    expect(counts.get(303)?.length).toBeGreaterThanOrEqual(2)
    for (const answer of counts.get(429) ?? []) expect(answer.headers.get('retry-after')).toBe('1')
    expect((counts.get(303)?.length ?? 0) + (counts.get(429)?.length ?? 0)).toBe(8)
  })

  slowTest('redirects to the requested page, and never to another site', async () => {
    const { url } = await open()
    expect(await locationOf(fetch(`${url}/admin/usage?days=7`, { redirect: 'manual' }))).toBe(
      '/admin/login?next=%2Fadmin%2Fusage%3Fdays%3D7',
    )
    const password = 'correct horse battery'
    const nexts = cases.nexts
    for (const [next, expected] of Object.entries(nexts))
      expect(await locationOf(send(`${url}/admin/login`, { password, next }))).toBe(expected)
  })
})

describe('a session', () => {
  slowTest('may send HEAD for an export: nothing is exported, and no audit entry is added', async () => {
    const server = await open({ seed: { keys: 3 } })
    const operator = await logIn(server)
    async function audit() {
      return ((await operator.page('/admin/audit')).match(/<span title="export">/g) ?? []).length
    }
    for (const path of ['/admin/keys.csv', '/admin/usage.csv', '/admin/payments.csv']) {
      const head = await fetch(server.url + path, { method: 'HEAD', headers: { cookie: operator.cookie } })
      expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
      expect(head.headers.get('content-length')).toBeNull()
    }
    expect(await audit()).toBe(0)
    await (await operator.get('/admin/keys.csv')).text()
    expect(await audit()).toBe(1)
  })

  test('ends twelve hours after its last request and seven days after its login', async () => {
    const server = await open()
    const rested = await logIn(server)
    server.clock.aheadMs += 11 * hourMs
    expect(await status(rested.get('/admin'))).toBe(200)
    server.clock.aheadMs += 13 * hourMs
    expect(await status(rested.get('/admin'))).toBe(303)
    const busy = await logIn(server)
    for (let hours = 0; hours < 7 * 24 - 6; hours += 6) {
      server.clock.aheadMs += 6 * hourMs
      expect(await status(busy.get('/admin/audit'))).toBe(200)
    }
    server.clock.aheadMs += 6 * hourMs
    expect(await status(busy.get('/admin/audit'))).toBe(303)
  })

  test('ends with the logout, and others can be listed and ended', async () => {
    const server = await open()
    const [one, two, three] = [await logIn(server), await logIn(server), await logIn(server)]
    await two.post('/admin/logout')
    expect(await locationOf(two.get('/admin'))).toStartWith('/admin/login')
    const ids = [...(await one.page('/admin/settings')).matchAll(/name="session" value="([0-9a-f]{64})"/g)]
    expect(ids).toHaveLength(2)
    await one.post('/admin/sessions/end-others')
    expect(await status(three.get('/admin'))).toBe(303)
    expect(await status(one.get('/admin'))).toBe(200)
  })

  test('has a cookie that scripts cannot read, bound to the host where there is TLS', async () => {
    const { url } = await open({ env: { TRUSTED_PROXIES: '127.0.0.1/32' } })
    const plain = await send(`${url}/admin/login`, { password: 'correct horse battery' })
    expect(plain.headers.get('set-cookie')).toMatch(/^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
    const secure = await send(
      `${url}/admin/login`,
      { password: 'correct horse battery' },
      { 'x-forwarded-proto': 'https' },
    )
    expect(secure.headers.get('set-cookie')).toMatch(
      /^__Host-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    )
  })

  test('that is stale or garbage leads to the login and never to an error', async () => {
    const { url } = await open()
    for (const cookie of [...cases.cookies, `session=${'a'.repeat(4000)}`]) {
      const answer = await fetch(`${url}/admin/keys`, { headers: { cookie }, redirect: 'manual' })
      const expected = [cookie, 303, '/admin/login?next=%2Fadmin%2Fkeys']
      expect([cookie, answer.status, answer.headers.get('location')]).toEqual(expected)
      expect(await status(fetch(`${url}/admin/login`, { headers: { cookie } }))).toBe(200)
      expect(await locationOf(send(`${url}/admin/backup`, {}, { cookie }))).toBe('/admin/login')
    }
  })
})

describe('a fresh password', () => {
  test('is required for rotation, export and bulk revocation; the form continues with it', async () => {
    const server = await open()
    const operator = await logIn(server)
    const key = await operator.createKey()
    server.clock.aheadMs += 11 * 60_000
    const asked = await operator.post(`${key.path}/rotate`, { overlap: '1' })
    expect(asked.status).toBe(200)
    expect(await asked.text()).toContain('name="overlap" value="1"')
    expect(await (await operator.get('/admin/keys.csv')).text()).toContain('Your password, please')
    expect(await (await operator.post('/admin/keys/revoke', { id: key.id, sure: '1' })).text()).toContain(
      'name="sure"',
    )
    expect(await operator.page(key.path)).toContain('v1')
    expect(await status(operator.post(`${key.path}/rotate`, { overlap: '1', password: 'wrong' }))).toBe(401)
    expect(
      await status(operator.post(`${key.path}/rotate`, { overlap: '1', password: 'correct horse battery' })),
    ).toBe(303)
    expect(await (await operator.get('/admin/keys.csv')).text()).toContain(key.id)
  })
})

const root = join(import.meta.dir, '../..')
const dataDir = mkdtempSync(join(tmpdir(), 'mintmark-first-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** Starts the program, waits until every process of it listens, and answers what it wrote. */
async function output(env: Readonly<Record<string, string>>, workers: number) {
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
      DRAIN_MS: '0',
      WORKERS: String(workers),
      ...env,
    },
  })
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk) => {
      written[name] += String(chunk)
    })
  const exited = new Promise((resolve) => child.on('exit', resolve))
  const isLinkShown = env['ADMIN_PASSWORD'] === undefined
  await eventually(() => written.stdout.split('"listening"').length - 1 === workers)
  await eventually(() => !isLinkShown || links(written.stderr).length > 0)
  // One more would come about now.
  await Bun.sleep(100)
  child.kill('SIGTERM')
  await exited
  return written
}

function links(text: string) {
  return text.match(/http:\/\/localhost:\d+\/admin\/setup\?token=[\w-]{32}/g) ?? []
}

test('one set-up link goes to the terminal, and none into the log, however many workers there are', async () => {
  const { stdout, stderr } = await output({}, 2)
  expect(links(stderr)).toHaveLength(1)
  expect(links(stdout)).toHaveLength(0)
})

slowTest('no link is printed where a password is set', async () => {
  const { stderr } = await output({ ADMIN_PASSWORD: 'correct horse battery' }, 1)
  expect(stderr).toBe('')
})
