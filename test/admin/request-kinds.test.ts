import { afterAll, beforeAll, expect, test } from 'bun:test'
import { kindOf, requestKinds } from '../../admin/data/request-kinds.ts'
import { sumByDay } from '../../admin/data/traffic-days.ts'
import { authModes, statuses } from '../../src/assets/stats/answer-schema.ts'
import { type AdminServer, openAdminServer } from './support/admin-server.ts'
import { logIn } from './support/operator.ts'

let server: AdminServer
beforeAll(async () => {
  server = await openAdminServer({ seed: {} })
})
afterAll(() => server.close())

const rows = authModes.flatMap((auth) =>
  statuses.map((status, index) => ({ day: 7, endpoint: 'og', auth, status, count: index + 1 })),
)

test('the bars of a day add up to its requests, whoever sent them and whatever came of them', () => {
  const [day] = sumByDay(rows, 7, 7)
  const sum = rows.reduce((total, { count }) => total + count, 0)
  expect(day?.values.reduce((total, value) => total + value, 0)).toBe(sum)
})

test('a refused or failed request is an error, never a paid or free one', () => {
  for (const { auth, status } of rows)
    expect([auth, status, kindOf({ auth, status }) === 'Errors']).toEqual([
      auth,
      status,
      /^[45]/.test(status),
    ])
  expect(kindOf({ auth: 'free', status: '402' })).toBe('Errors')
  expect(kindOf({ auth: 'payment', status: '2xx' })).toBe('Paid')
  expect(kindOf({ auth: 'free', status: '3xx' })).toBe('Free')
})

test('the overview counts the requests that its chart and the usage page show', async () => {
  const { page } = await logIn(server)
  const before = requestsToday(await page('/admin'))
  for (const title of ['a', '']) await (await fetch(`${server.url}/api/og?title=${title}`)).arrayBuffer()
  // They are written a moment later, and then both pages show them.
  while (requestsToday(await page('/admin')) < before + 2) await Bun.sleep(20)
  const [overview, usage] = [await page('/admin'), await page('/admin/usage?days=30')]
  for (const html of [overview, usage]) {
    const [latest = ''] = /<tbody><tr>.*?<\/tr>/.exec(html) ?? []
    const values = [...latest.matchAll(/num">([\d,]+)/g)].map(([, text = '']) => numberOf(text))
    expect(values.length).toBe(requestKinds.length)
    expect(values.reduce((sum, value) => sum + value, 0)).toBe(requestsToday(overview))
  }
})

function requestsToday(overview: string): number {
  return numberOf(/Requests today<\/dt><dd>([\d,]+)/.exec(overview)?.[1] ?? '')
}

function numberOf(text: string): number {
  return Number(text.replaceAll(',', ''))
}
