import { beforeAll, expect, test } from 'bun:test'
import { started } from '../support/started.ts'
import { sampleOf } from '../support/test-size.ts'
import { openAdminServer } from './support/admin-server.ts'
import { logIn, type Operator, sameOrigin } from './support/operator.ts'
import { adminKeyId } from './support/seed-admin.ts'

/**
 * Encoded as in a form or a URL: NUL, half a surrogate pair, broken UTF-8 and percents, quotes, malformed numbers,
 * and values that are too long.
 */
const oddities = [
  '%00',
  'docs%00docs',
  '%22%00%22',
  '%ED%A0%80abc',
  '%ff%fe%fd',
  '%',
  '%zz%0',
  '%22%22%22',
  '%22+OR+%22*',
  '*',
  '%27%3B--+%25%25',
  '%E2%80%AE%F0%9F%92%A9',
  'a'.repeat(5_000),
  '1.5',
  '-1',
  '1e400',
  '1.5.mk_1',
  '9'.repeat(40),
]
const fields = [
  'search',
  'q',
  'id',
  'name',
  'quota',
  'overlap',
  'session',
  'url',
  'after',
  'before',
  'days',
  'password',
  'next',
  'token',
]

let operator: Operator
const server = started(() => openAdminServer({ seed: {} }))
beforeAll(async () => {
  operator = await logIn(server)
})

async function pathsWith(odd: string) {
  const routes = await server.service.routes()
  return routes
    .filter(({ path }) => path.startsWith('/admin'))
    .filter(({ path }) => !/logout|end-others|backup|test-fetch/.test(path))
    .flatMap(({ method, path }) =>
      path.includes(':id')
        ? [
            { method, path: path.replace(':id', odd) },
            { method, path: path.replace(':id', adminKeyId(1)) },
          ]
        : [{ method, path }],
    )
}

test.each(sampleOf(oddities, 10).map((odd) => [odd.slice(0, 20), odd] as const))(
  'no form, query or path with %s is a 500',
  async (_, odd) => {
    const sent = `sure=1&sort=used&${fields.map((name) => `${name}=${odd}`).join('&')}`
    const headers = { cookie: operator.cookie, ...sameOrigin }
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    for (const { method, path } of await pathsWith(odd)) {
      const isRead = method === 'GET'
      const response = await fetch(`${server.url}${path}${isRead ? `?${sent}` : ''}`, {
        method,
        redirect: 'manual',
        headers: { ...headers, ...(!isRead && form) },
        ...(!isRead && { body: sent }),
      })
      await response.arrayBuffer()
      expect([method, path, response.status >= 500]).toEqual([method, path, false])
    }
  },
)

test.each(sampleOf(oddities, 10).map((odd) => [odd.slice(0, 20), odd] as const))(
  'no public route with %s is a 500',
  async (_, odd) => {
    for (const path of [
      `/api/usage?key=${odd}`,
      `/api/upgrade?key=${odd}`,
      `/api/og?title=a&key=${odd}&t=1&sig=${odd}`,
      `/api/og?title=${odd}&demo=1`,
      `/api/transform?kind=stats&metric=${odd}`,
      `/playground/og?${odd}`,
      `/playground/${odd}`,
    ]) {
      const method = path.startsWith('/api/upgrade') ? 'POST' : 'GET'
      const { status } = await fetch(server.url + path, { method })
      expect([path, status >= 500]).toEqual([path, false])
    }
  },
)

test('a search with a NUL revokes nothing, as it finds nothing', async () => {
  const before = await (await operator.get('/admin/keys?status=revoked')).text()
  const answer = await operator.post('/admin/keys/revoke', { search: 'docs\0', sure: '1' })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/admin/keys'])
  expect(await (await operator.get('/admin/keys?status=revoked')).text()).toBe(before)
})
