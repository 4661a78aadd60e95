import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { adminKeyId } from '../../bench/support/seed-admin.ts'
import { type House, openHouse, operatorPassword } from '../admin/support/house.ts'
import { logIn, type Operator, send } from '../admin/support/operator.ts'

setDefaultTimeout(60_000)

const threeDaysMs = 3 * 86_400_000
const env = {
  FETCH_UNPAID_PER_MINUTE: '2',
  KEYS_PER_IP_PER_DAY: '1',
  PLAYGROUND_PER_IP_PER_DAY: '1',
  DEMO_DAILY_QUOTA: '100',
}
let house: House
let operator: Operator
/** A clock that runs three days ahead, under which everything is used up, and is then set right. */
beforeAll(async () => {
  house = await openHouse({ env, seed: {} })
  house.clock.aheadMs = threeDaysMs
  operator = await logIn(house)
  await Promise.all(useUp())
  for (let n = 0; n < 6; n += 1) await send(`${house.url}/admin/login`, { password: 'wrong' })
  house.clock.aheadMs = 0
})
afterAll(() => house.close())

function preview() {
  return fetch(
    `${house.url}/api/transform?kind=preview&url=https%3A%2F%2Fsite${Math.random()}.invalid%2F&demo=1`,
  )
}
function useUp() {
  return [preview(), preview(), preview(), fetch(`${house.url}/api/key`), fetch(`${house.url}/api/key`)]
}

test('no wait is of days: what was used up is free again, or is as long as its own rule says', async () => {
  const answers = await Promise.all([
    ...useUp(),
    send(`${house.url}/admin/login`, { password: operatorPassword }),
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
  expect((await (await logIn(house)).get('/admin')).status).toBe(200)
})

test('a password that was given in the time to come is not fresh', async () => {
  const now = await logIn(house)
  house.clock.aheadMs = -30 * 60_000
  const asked = await now.post(`/admin/keys/${adminKeyId(3)}/rotate`, { overlap: '0' })
  house.clock.aheadMs = 0
  expect(await asked.text()).toContain('type="password"')
})

test('the time since the start is never negative', async () => {
  house.clock.aheadMs = -threeDaysMs
  const stats = (await (await fetch(`${house.url}/api/transform?kind=stats`)).json()) as {
    uptime_seconds: number
  }
  house.clock.aheadMs = 0
  expect(stats.uptime_seconds).toBe(0)
})
