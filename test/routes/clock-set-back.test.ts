import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type AdminServer, openAdminServer, operatorPassword } from '../admin/support/admin-server.ts'
import { logIn, type Operator, send } from '../admin/support/operator.ts'
import { adminKeyId } from '../admin/support/seed-admin.ts'

const threeDaysMs = 3 * 86_400_000
const env = {
  FETCH_UNPAID_PER_MINUTE: '2',
  KEYS_PER_IP_PER_DAY: '1',
  PLAYGROUND_PER_IP_PER_DAY: '1',
  DEMO_DAILY_QUOTA: '100',
}
let server: AdminServer
let operator: Operator
/** A clock that runs three days ahead, under which everything is used up, and is then set right. */
beforeAll(async () => {
  server = await openAdminServer({ env, seed: {} })
  server.clock.aheadMs = threeDaysMs
  operator = await logIn(server)
  await Promise.all(useUp())
  for (let n = 0; n < 6; n += 1) await send(`${server.url}/admin/login`, { password: 'wrong' })
  server.clock.aheadMs = 0
})
afterAll(() => server.close())

function preview() {
  return fetch(
    `${server.url}/api/transform?kind=preview&url=https%3A%2F%2Fsite${Math.random()}.invalid%2F&demo=1`,
  )
}
function useUp() {
  return [preview(), preview(), preview(), fetch(`${server.url}/api/key`), fetch(`${server.url}/api/key`)]
}

test('no wait is of days: what was used up is free again, or is as long as its own rule says', async () => {
  const answers = await Promise.all([
    ...useUp(),
    send(`${server.url}/admin/login`, { password: operatorPassword }),
  ])
  for (const { status, headers } of answers) {
    expect(status).not.toBe(500)
    expect(Number(headers.get('retry-after') ?? 0)).toBeLessThanOrEqual(86_400)
  }
})

test('an address that used up its minute has to wait for a minute at most', async () => {
  for (let n = 0; n < 4; n += 1) {
    const { status, headers } = await preview()
    if (status === 429) expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60)
  }
})

test('the operator gets in, and a session of the time to come is none', async () => {
  expect((await operator.get('/admin')).status).toBe(303)
  expect((await (await logIn(server)).get('/admin')).status).toBe(200)
})

test('a password that was given in the time to come is not fresh', async () => {
  const now = await logIn(server)
  server.clock.aheadMs = -30 * 60_000
  const asked = await now.post(`/admin/keys/${adminKeyId(3)}/rotate`, { overlap: '0' })
  server.clock.aheadMs = 0
  expect(await asked.text()).toContain('type="password"')
})

test('the time since the start is never negative', async () => {
  server.clock.aheadMs = -threeDaysMs
  const stats = (await (await fetch(`${server.url}/api/transform?kind=stats`)).json()) as {
    uptime_seconds: number
  }
  server.clock.aheadMs = 0
  expect(stats.uptime_seconds).toBe(0)
})
