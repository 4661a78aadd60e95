import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type AdminServer, openAdminServer } from './support/admin-server.ts'
import { logIn, type Operator } from './support/operator.ts'

let server: AdminServer
let operator: Operator

beforeAll(async () => {
  server = await openAdminServer()
  operator = await logIn(server)
})
afterAll(() => server?.close())

const bounds = 'The quota is a whole number from 0 to 1,000,000,000.'

test.each(['-1', 'abc', '1.5', '1000000001'])('a quota of %s is refused with its bounds', async (quota) => {
  const { path } = await operator.createKey({ name: 'docs.harbour.dev', quota: '7' })
  const changed = await operator.post(`${path}/quota`, { quota })
  expect(changed.status).toBe(400)
  expect(await changed.text()).toContain(bounds)

  const created = await operator.post('/admin/keys', { name: 'kept.harbour.dev', quota })
  expect(created.status).toBe(400)
  const form = await created.text()
  expect(form).toContain(bounds)
  expect(form).toContain('value="kept.harbour.dev"')
})

test('a name that is too long is refused with the form', async () => {
  const created = await operator.post('/admin/keys', { name: 'n'.repeat(81), quota: '' })
  expect(created.status).toBe(400)
  expect(await created.text()).toContain('A name has at most 80 characters.')
})

test('a key that does not exist has no quota to set', async () => {
  const quotas = ['5', '-1'].map((quota) => operator.post('/admin/keys/none/quota', { quota }))
  expect((await Promise.all(quotas)).map(({ status }) => status)).toEqual([404, 404])
})

test('the area is found with a slash at its end', async () => {
  const answer = await operator.get('/admin/')
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/admin'])
})
