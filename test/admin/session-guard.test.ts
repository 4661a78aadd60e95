import { afterAll, describe, expect, test } from 'bun:test'
import { openAdminServer } from './support/admin-server.ts'
import { logIn, sameOrigin } from './support/operator.ts'

const server = await openAdminServer()
afterAll(() => server.close())

/** Every route of the area, as the router has it. */
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
