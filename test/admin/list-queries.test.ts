import { beforeAll, expect, test } from 'bun:test'
import { started } from '../support/started.ts'
import { openAdminServer } from './support/admin-server.ts'
import { logIn, type Operator } from './support/operator.ts'

let operator: Operator
const server = started(openAdminServer)
beforeAll(async () => {
  operator = await logIn(server)
})

const wrongQueries = {
  '/admin/keys': 'status=none&sort=%FF&after=a&after=b&q=%E4',
  '/admin/brands': 'page=-1',
  '/admin/usage': 'days=31&days=30',
  '/admin/usage.csv': 'days=0x20',
  '/admin/payments': 'state=&after=100%',
  '/admin/traffic': 'show=nothing',
  '/admin/audit': 'before=9e9',
}

test.each(Object.entries(wrongQueries))(
  'a wrong value in the address of a list counts as missing: %s?%s',
  async (path, query) => {
    const [usual, wrong] = [await operator.get(path), await operator.get(`${path}?${query}`)]
    expect([usual.status, wrong.status]).toEqual([200, 200])
  },
)

test.each(Object.entries(wrongQueries))(
  'strangers learn nothing of it, and are sent to the login: %s?%s',
  async (path, query) => {
    const answer = await fetch(`${server.url}${path}?${query}`, { redirect: 'manual' })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toStartWith('/admin/login?next=')
  },
)

test('a list reads its values also of HEAD', async () => {
  const head = await fetch(`${server.url}/admin/usage?days=7`, {
    method: 'HEAD',
    headers: { cookie: operator.cookie },
  })
  expect(head.status).toBe(200)
})
