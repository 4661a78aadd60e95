import { beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import {
  outcomeOf,
  outcomeSeries,
  outcomes,
  periodNames,
  readRequestPeriods,
} from '../../admin/lists/usage.tsx'
import { createRecentRequests } from '../../admin/recent-requests.ts'
import { agentFamily } from '../../src/access/crawlers.ts'
import { statuses } from '../../src/assets/stats/stats.ts'
import { utcDay, utcHour } from '../../src/lib/clock.ts'
import { periodSum } from '../../src/site/parts/chart.tsx'
import { movableClock } from '../store/clock.ts'
import { eventually } from '../support/eventually.ts'
import { started } from '../support/started.ts'
import { isQuick } from '../support/test-size.ts'
import { openTestStore } from '../support/test-store.ts'
import { openAdminServer } from './support/admin-server.ts'
import { enter, hasBrowser, openBrowser, openPage, pageTests } from './support/browser.ts'
import { loggedIn, logIn, type Operator } from './support/operator.ts'
import cases from './traffic.json' with { type: 'json' }

const server = started(openAdminServer)

test('new requests show without their queries on a page that loads itself again', async () => {
  const operator = await logIn(server)
  await (await fetch(`${server.url}/api/usage?key=mk_secret-thing`)).arrayBuffer()
  const page = await operator.page('/admin/traffic')
  expect(page).toContain('data-refresh-seconds="5"')
  expect(page).toContain('<summary class="mono">GET /api/usage</summary>')
  expect(page).not.toContain('mk_secret-thing')
})

describe('the list of the last requests', () => {
  async function ask(path: string, times = 1) {
    for (let n = 0; n < times; n += 1) await (await fetch(server.url + path)).arrayBuffer()
  }
  function pathsIn(html: string) {
    return [...html.matchAll(/GET (\/[^<]*)</g)].map(([, path]) => path)
  }

  test('is not pushed out by the pictures of our own pages, which stand in a view of their own', async () => {
    const { page } = await logIn(server)
    await ask('/api/usage?key=mk_none')
    // Later ones come first in a list.
    server.clock.aheadMs += 1_000
    await ask('/pictures/badge-docs.svg', 120)
    const paths = pathsIn(await page('/admin/traffic'))
    expect(paths).toContain('/api/usage')
    expect(paths.filter((path) => path?.startsWith('/pictures/'))).toEqual([])
    expect(pathsIn(await page('/admin/traffic?show=all'))).toContain('/pictures/badge-docs.svg')
    expect(new Set(pathsIn(await page('/admin/traffic?show=errors')))).toContain('/api/usage')
    expect(pathsIn(await page('/admin/traffic?show=errors'))).not.toContain('/healthz')
  })

  test('comes in pages of 25, and older pages stay where they are while new requests come', async () => {
    const { page } = await logIn(server)
    for (let n = 0; n < 60; n += 1) await ask(`/healthz/${n}`)
    const first = await page('/admin/traffic')
    expect(pathsIn(first)).toHaveLength(25)
    const older =
      /href="(\/admin\/traffic\?[^"]*after=[^"]*)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const second = pathsIn(await page(older))
    expect(second).toEqual(Array.from({ length: 25 }, (_, index) => `/healthz/${34 - index}`))
    await ask('/healthz', 10)
    expect(pathsIn(await page(older))).toEqual(second)
    expect(await page(older)).not.toContain('data-feed')
    expect(pathsIn(await page('/admin/traffic?after=gone&show=nothing'))).toHaveLength(25)
  })
})

describe.skipIf(isQuick || !hasBrowser)('the traffic page', () => {
  const browser = started(openBrowser)
  const it = pageTests(browser, server)

  it('shows a new request without a reload where script runs', async ({ page }) => {
    await page.goto(`${server.url}/admin/traffic`)
    await page.getByText('Reloads every 5 s', { exact: true }).waitFor()
    await (await fetch(`${server.url}/healthz?new`)).arrayBuffer()
    await page.locator('tbody tr', { hasText: '/healthz' }).first().waitFor()
    await (await fetch(`${server.url}/pictures/badge-docs.svg`)).arrayBuffer()
    for (let n = 0; n < 30; n += 1) await (await fetch(`${server.url}/readyz?${n}`)).arrayBuffer()
    await page.locator('tbody tr', { hasText: '/readyz' }).nth(24).waitFor()
    expect(await page.locator('tbody tr').count()).toBe(25)
    expect(await page.locator('tbody tr', { hasText: '/pictures/' }).count()).toBe(0)
  })

  test('reloads by itself where none does', async () => {
    const { page, close } = await openPage(browser, { javaScriptEnabled: false })
    await enter(page, server)
    await page.goto(`${server.url}/admin/traffic`)
    expect(await page.locator('meta[http-equiv=refresh]').getAttribute('content')).toBe('5')
    await close()
  })
})

const trafficFiltersServer = started(openAdminServer)
const operator = loggedIn(trafficFiltersServer)
let key: Awaited<ReturnType<Operator['createKey']>>
beforeAll(async () => {
  key = await operator.createKey({ name: 'harbour docs' })
  const seconds = Math.floor(trafficFiltersServer.clock.now() / 1000)
  const sig = createHmac('sha256', key.secret).update(`${seconds}.GET /api/badge`).digest('hex')
  await ask(`/api/badge?label=a&message=b&key=${key.id}&t=${seconds}&sig=${sig}`)
  await ask(`/api/badge?label=a&message=b&key=${key.id}&t=${seconds}&sig=${'0'.repeat(64)}`)
  await ask('/api/avatar?name=Ada&demo=1')
  await ask('/api/og?title=a')
  await ask('/nothing-here')
})

async function ask(path: string): Promise<void> {
  const headers = { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' }
  await (await fetch(trafficFiltersServer.url + path, { headers })).arrayBuffer()
}

async function listed(query: string): Promise<readonly string[]> {
  const html = await operator.page(`/admin/traffic?${query}`)
  const rows = html.match(/<tr><td class="muted".*?<\/tr>/gs) ?? []
  return rows.map((row) => {
    const [, path] = /<summary class="mono">GET ([^<]*)/.exec(row) ?? []
    const [, status] = /class="pill[^"]*">([^<]*)</.exec(row) ?? []
    return `${path} ${status}`
  })
}

test('requests are filtered by path, asset, outcome, key and time', async () => {
  expect(await listed('q=AVATAR')).toEqual(['/api/avatar 200 Served'])
  expect(await listed('asset=badge')).toEqual(['/api/badge 402 Unpaid', '/api/badge 200 Served'])
  expect(await listed('status=Unpaid')).toEqual(['/api/og 402 Unpaid', '/api/badge 402 Unpaid'])
  expect(await listed('status=Refused')).toEqual(['/nothing-here 404 Refused'])
  expect(await listed('status=Failed')).toEqual([])
  expect(await listed(`key=${key.id}`)).toEqual(['/api/badge 402 Unpaid', '/api/badge 200 Served'])
  expect(await listed(`key=${key.id}&status=Served`)).toEqual(['/api/badge 200 Served'])
  const all = await listed('')
  expect(await listed('since=60')).toEqual(all)
  trafficFiltersServer.clock.aheadMs += 2 * 3_600_000
  expect(await listed('since=60')).toEqual([])
  trafficFiltersServer.clock.aheadMs = 0
})

test('a row opens to its id, credential, key by name, duration and kind of program, and to no address', async () => {
  const html = await operator.page('/admin/traffic?asset=badge&status=Served')
  const [details = ''] = /<details class="row">.*?<\/details>/s.exec(html) ?? []
  for (const text of ['Request id', '>Badge<', '>Key<', 'harbour docs', ' ms<', '>Slack<'])
    expect(details).toContain(text)
  expect(html).not.toContain('127.0.0.1')
  expect(html).not.toContain('LinkExpanding')
})

test('a User-Agent is kept as a kind of program only', () => {
  const chrome =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36'
  const agents = ['curl/8.9.1', 'Discordbot/2.0', chrome, `${chrome} Edg/130.0`, '<script>', null]
  expect(agents.map(agentFamily)).toEqual(['curl', 'discord', 'Chrome', 'Edge', 'Other', ''])
})

const requestKindsServer = started(() => openAdminServer({ seed: {} }))

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
  const { page } = await logIn(requestKindsServer)
  const before = requestsToday(await page('/admin'))
  for (const title of ['a', ''])
    await (await fetch(`${requestKindsServer.url}/api/og?title=${title}`)).arrayBuffer()
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

test('requests of callers and pictures of our own pages are kept apart, in whatever order they come', () => {
  const recent = createRecentRequests()
  const paths = cases.paths
  const request = { method: 'GET', status: 200, durationMs: 1, auth: '', asset: '', keyId: '', agent: '' }
  for (let round = 0; round < 600; round += 1)
    for (const [index, path] of paths.entries())
      recent.add({ ...request, atMs: 10 * round + index, id: `${round}`, path })
  const seen = Map.groupBy(recent.list(), ({ path }) => path)
  expect([...seen].map(([path, { length }]) => [path, length]).toSorted()).toEqual([
    ['/api/og', 1000],
    ['/pictures/card.svg', 100],
  ])
  expect(seen.get('/api/og')?.[0]?.id).toBe('599')
  expect(seen.get('/api/og')?.at(-1)?.id).toBe('100')
})
