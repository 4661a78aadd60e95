import { expect, test } from 'bun:test'
import {
  outcomeOf,
  outcomeSeries,
  outcomes,
  periodNames,
  readRequestPeriods,
} from '../../admin/figures/requests.ts'
import { statuses } from '../../src/assets/stats/stats.ts'
import { utcDay, utcHour } from '../../src/lib/clock.ts'
import { periodSum } from '../../src/site/parts/chart.tsx'
import { movableClock } from '../store/clock.ts'
import { eventually } from '../support/eventually.ts'
import { started } from '../support/started.ts'
import { openTestStore } from '../support/test-store.ts'
import { openAdminServer } from './support/admin-server.ts'
import { logIn } from './support/operator.ts'

const server = started(() => openAdminServer({ seed: {} }))

const outcomesOf: Readonly<Record<(typeof statuses)[number], string>> = {
  '2xx': 'Served',
  '3xx': 'Served',
  '402': 'Unpaid',
  '4xx': 'Refused',
  '5xx': 'Failed',
}

test('each request has one outcome, and only a fault of the server is a failed one', () => {
  for (const status of statuses) expect<string>(outcomeOf({ status })).toBe(outcomesOf[status])
  expect([404, 402, 503, 304].map((status) => outcomeOf({ status }))).toEqual([
    'Refused',
    'Unpaid',
    'Failed',
    'Served',
  ])
})

test('only the failed requests of a chart are red', () => {
  expect(outcomeSeries.filter(({ tone }) => tone === 's5')).toEqual([{ name: 'Failed', tone: 's5' }])
})

test('the bars of hours, days and months add up to their requests, beside the period before', async () => {
  const clock = movableClock(Date.parse('2026-03-15T10:30:00Z'))
  const store = await openTestStore({ path: ':memory:', clock })
  const day = utcDay(clock.now())
  for (const [index, status] of statuses.entries())
    for (const age of [0, 29, 30, 59, 300, 400, 700])
      await store.traffic.add(day - age, { endpoint: 'og', auth: 'key', status }, index + 1)
  for (const age of [0, 23, 24, 47, 48])
    await store.trafficHours.add(utcHour(clock.now()) - age, 'og', 'key', '4xx', 10 + age)
  const each = statuses.reduce((sum, _, index) => sum + index + 1, 0)
  const sums: unknown[] = []
  for (const name of periodNames) {
    const { chart, rows } = await readRequestPeriods({ store, clock }, name)
    const { periods } = chart
    const shown = periods.reduce((sum, period) => sum + periodSum(period), 0)
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(shown)
    sums.push([periods.length, shown, periods.reduce((sum, { before = 0 }) => sum + before, 0)])
  }
  expect(sums).toEqual([
    [24, 43, 91],
    [30, 2 * each, 2 * each],
    [12, 5 * each, 2 * each],
  ])
  await store.close()
})

test('the overview counts the requests that its chart and the usage page show', async () => {
  const { page } = await logIn(server)
  const before = requestsToday(await page('/admin'))
  for (const title of ['a', '']) await (await fetch(`${server.url}/api/og?title=${title}`)).arrayBuffer()
  // They are written a moment later, and then both pages show them.
  await eventually(async () => requestsToday(await page('/admin')) === before + 2)
  const [overview, usage] = [await page('/admin'), await page('/admin/usage?by=day')]
  for (const html of [overview, usage]) {
    const [latest = ''] = /<tbody><tr>.*?<\/tr>/.exec(html) ?? []
    const values = [...latest.matchAll(/num">([\d,]+)/g)].map(([, text = '']) => numberOf(text))
    // The last column is the period before.
    expect(values.length).toBe(outcomes.length + 1)
    const sum = values.slice(0, -1).reduce((total, value) => total + value, 0)
    expect(sum).toBe(requestsToday(overview))
  }
})

function requestsToday(overview: string): number {
  return numberOf(/Requests today<\/dt><dd>([\d,]+)/.exec(overview)?.[1] ?? '')
}

function numberOf(text: string): number {
  return Number(text.replaceAll(',', ''))
}
