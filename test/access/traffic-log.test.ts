import { afterAll, expect, test } from 'bun:test'
import { readKeyMetrics } from '../../src/access/key-quota.ts'
import { forever } from '../../src/access/keys.ts'
import { createShareLog, createTrafficLog, type Share } from '../../src/access/traffic-log.ts'
import { utcDay, utcHour } from '../../src/lib/clock.ts'
import { cardRowsMax } from '../../src/store/shares.ts'
import { movableClock } from '../store/clock.ts'
import { startService } from '../support/service.ts'
import { openTestStore } from '../support/test-store.ts'
import { noonMs, openAccess, signed } from './temporary-access.ts'

const free = { endpoint: 'stats', auth: 'free', status: '2xx' }

test('free traffic is stored by itself soon after it came', async () => {
  const clock = movableClock(Date.parse('2026-03-01T12:00:00Z'))
  const store = await openTestStore({ path: ':memory:', clock })
  const traffic = createTrafficLog({ store, clock, delayMs: 1 })
  traffic.record(free)
  traffic.record(free)
  while ((await store.traffic.totals()).length === 0) await Bun.sleep(1)
  expect(await store.traffic.totals()).toEqual([{ endpoint: 'stats', count: 2 }])
})

test('free traffic counts on the day that it came, once', async () => {
  const clock = movableClock(Date.parse('2026-03-01T23:59:59.999Z'))
  const store = await openTestStore({ path: ':memory:', clock })
  const traffic = createTrafficLog({ store, clock })
  traffic.record(free)
  clock.nowMs += 1
  traffic.record(free)
  traffic.record({ ...free, status: '4xx' })
  await traffic.flush()
  await traffic.flush()
  const day = utcDay(clock.now())
  expect(await store.traffic.between(0, day)).toEqual([
    { day: day - 1, ...free, count: 1 },
    { day, ...free, count: 1 },
    { day, ...free, status: '4xx', count: 1 },
  ])
})

test('free traffic waits while the store is busy', async () => {
  const clock = movableClock(Date.parse('2026-03-01T12:00:00Z'))
  const store = await openTestStore({ path: ':memory:', clock })
  let busy = true
  const transaction: typeof store.transaction = (work, options) => {
    if (busy) throw new Error('database is locked')
    return store.transaction(work, options)
  }
  const traffic = createTrafficLog({ store: { ...store, transaction }, clock })
  traffic.record(free)
  await traffic.flush()
  busy = false
  traffic.record(free)
  await traffic.flush()
  expect(await store.traffic.totals()).toEqual([{ endpoint: 'stats', count: 2 }])
})

test('answers count in the hour of each, whatever they cost, and two servers add up', async () => {
  const clock = movableClock(Date.parse('2026-03-01T12:59:59.999Z'))
  const store = await openTestStore({ path: ':memory:', clock })
  const servers = [createTrafficLog({ store, clock }), createTrafficLog({ store, clock })]
  for (const traffic of servers) {
    traffic.answered('og', 'key', '2xx')
    traffic.answered('og', 'free', '5xx')
  }
  clock.nowMs += 1
  for (const traffic of servers) for (let n = 0; n < 20; n++) traffic.answered('badge', 'demo', '2xx')
  await Promise.all(servers.map((traffic) => traffic.flush()))
  await Promise.all(servers.map((traffic) => traffic.flush()))
  const hour = utcHour(clock.now())
  const rows = await store.trafficHours.between(hour - 1, hour)
  const counts = rows
    .map((row) => [hour - row.hour, row.endpoint, row.auth, row.status, row.count].join(' '))
    .toSorted()
  expect(counts).toEqual(['0 badge demo 2xx 40', '1 og free 5xx 2', '1 og key 2xx 2'])
  expect(await store.traffic.totals()).toEqual([])
})

const share: Share = {
  keyId: 'mk_1',
  network: 'x',
  address: 'a',
  asset: 'og',
  title: 'Hello',
  url: 'example.com',
  query: 'title=Hello',
}

async function openLog() {
  const clock = movableClock(Date.parse('2026-03-01T23:59:59.999Z'))
  const store = await openTestStore({ path: ':memory:', clock })
  return { clock, store, day: utcDay(clock.now()) }
}

test('previews are stored by themselves soon after they came', async () => {
  const { clock, store, day } = await openLog()
  const log = createShareLog({ store, clock, delayMs: 1 })
  log.record(share)
  log.record(share)
  while ((await store.shares.days('mk_1', 0, day)).length === 0) await Bun.sleep(1)
  expect(await store.shares.days('mk_1', 0, day)).toEqual([{ day, network: 'x', count: 2 }])
})

test('previews count on the day that they came, once', async () => {
  const { clock, store, day } = await openLog()
  const log = createShareLog({ store, clock })
  log.record(share)
  clock.nowMs += 1
  log.record(share)
  log.record(share)
  await Promise.all([log.flush(), log.flush()])
  const expected = [
    { day, network: 'x', count: 1 },
    { day: day + 1, network: 'x', count: 2 },
  ]
  expect(await store.shares.days('mk_1', 0, day + 1)).toEqual(expected)
})

test('two servers that store previews at the same time lose none and keep the bound', async () => {
  const { clock, store, day } = await openLog()
  const logs = [createShareLog({ store, clock }), createShareLog({ store, clock })]
  for (const [server, log] of logs.entries())
    for (let n = 0; n < 250; n += 1) log.record({ ...share, address: `${server} ${n}` })
  await Promise.all(logs.map((log) => log.flush()))
  const rows = await store.shares.newest('mk_1', 0, 1_000)
  expect(rows.length).toBeLessThanOrEqual(cardRowsMax)
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(500)
  expect(await store.shares.days('', 0, day)).toEqual([{ day, network: 'x', count: 500 }])
})

test('previews wait while the store is busy, in bounded memory', async () => {
  const { clock, store, day } = await openLog()
  let isBusy = true
  const transaction: typeof store.transaction = (work, options) => {
    if (isBusy) throw new Error('database is locked')
    return store.transaction(work, options)
  }
  const log = createShareLog({ store: { ...store, transaction }, clock })
  for (let n = 0; n < 1_000; n += 1) log.record({ ...share, address: `${n}` })
  await log.flush()
  for (let key = 0; key < 20_000; key += 1) log.record({ ...share, keyId: `mk_${key}` })
  await log.flush()
  isBusy = false
  await log.flush()
  const sums = await store.shares.keys(day, 50_000)
  expect(sums[0]).toEqual({ keyId: 'mk_1', count: 1_001 })
  expect(sums.length).toBeGreaterThan(4_000)
  expect(sums.length).toBeLessThanOrEqual(5_000)
})

const { store, clock, keys, call } = await openAccess()
afterAll(() => store.close())

function samples(text: string, name: string): readonly (readonly [key: string, value: number])[] {
  return [...text.matchAll(new RegExp(`^${name}\\{key="(mk_\\w+)"\\} (\\d+)$`, 'gm'))].map(
    ([, key = '', value]) => [key, Number(value)] as const,
  )
}

test('use and limit are those of the 20 keys that are used most today, and a key without limit has none', async () => {
  const pairs = []
  for (let count = 0; count < 22; count += 1) pairs.push(await keys.create({ dailyQuota: 5 }))
  const [first, second, ...others] = pairs
  for (const pair of pairs.slice(0, 21)) await call(await signed(pair, noonMs))
  for (const pair of [first, second, second])
    if (pair !== undefined) await call(await signed(pair, noonMs, '/api/og?title=More'))
  await keys.upgrade(first?.key.id ?? '', forever)
  const text = await readKeyMetrics(store, clock, 3)
  const used = samples(text, 'mintmark_key_calls_used')
  expect(used).toHaveLength(20)
  expect(used.slice(0, 3)).toEqual([
    [second?.key.id ?? '', 3],
    [first?.key.id ?? '', 2],
    [expect.any(String), 1],
  ])
  const limits = samples(text, 'mintmark_key_calls_limit')
  expect([limits.length, new Set(limits.map(([, limit]) => limit))]).toEqual([19, new Set([5])])
  expect(limits.map(([id]) => id)).not.toContain(first?.key.id ?? '')
  expect(text).not.toContain(others.at(-1)?.key.id ?? '')
})

test('the public counters name no key', async () => {
  const server = await startService()
  try {
    const { id, signed_example: example } = await (await fetch(`${server.url}/api/key`)).json()
    await fetch(example.url)
    const expected = `mintmark_key_calls_used{key="${id}"} 1`
    expect(await (await fetch(`${server.url}/metrics`)).text()).toContain(expected)
    const open = await fetch(`${server.url}/api/stats?format=prometheus`)
    expect(await open.text()).not.toContain('mk_')
  } finally {
    await server.stop()
  }
})
