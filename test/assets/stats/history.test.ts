import { expect, test } from 'bun:test'
import { createCounters } from '../../../src/access/counters.ts'
import { createTrafficLog } from '../../../src/access/traffic-log.ts'
import { assets } from '../../../src/catalog.ts'
import { createByteCache } from '../../../src/lib/byte-cache.ts'
import { utcDay } from '../../../src/lib/clock.ts'
import { countOf, createHistogram, cumulativeBuckets, quantileMs } from '../../../src/lib/latency.ts'
import { openStore } from '../../../src/store/open.ts'

const start = Date.parse('2026-11-21T10:00:00Z')
const dayMs = 86_400_000
const kind = { endpoint: 'badge', auth: 'demo', status: '2xx' }

function house() {
  let nowMs = start
  const clock = { now: () => nowMs }
  const store = openStore({ path: ':memory:', clock })
  const cache = createByteCache<Uint8Array>(1000, ({ byteLength }) => byteLength)
  let scans = 0
  function totals(beforeDay?: number) {
    scans++
    return store.traffic.totals(beforeDay)
  }
  const traffic = { ...store.traffic, totals }
  const counters = createCounters({
    store: { ...store, traffic },
    traffic: createTrafficLog({ store, clock }),
    endpoints: assets.map(({ id }) => id),
    clock,
    demoDailyQuota: 3000,
    cacheStats: cache.stats,
  })
  return {
    store,
    counters,
    scans: () => scans,
    pass(ms: number) {
      nowMs += ms
    },
    today: () => utcDay(nowMs),
  }
}

test('the whole history is summed up once a day, not at each look', async () => {
  const { store, counters, scans, pass, today } = house()
  for (let back = 0; back < 30; back++) await store.traffic.add(today() - back, kind, 10)
  for (let look = 0; look < 50; look++) await counters.read()
  expect(scans()).toBe(1)
  await store.traffic.add(today(), kind, 1)
  expect((await counters.read()).total.requests).toBe(301)
  pass(dayMs)
  await store.traffic.add(today(), kind, 2)
  expect(await counters.read()).toMatchObject({
    total: { requests: 303 },
    day: { date: '2026-11-22', requests: 2 },
  })
  expect(scans()).toBe(2)
})

test('the week ends today and has a zero for every quiet day', async () => {
  const { store, counters, today } = house()
  await store.traffic.add(today() - 6, kind, 4)
  await store.traffic.add(today() - 7, kind, 100)
  const { last_7_days: week } = await counters.read()
  expect(week.map(({ requests }) => requests)).toEqual([4, 0, 0, 0, 0, 0, 0])
  expect(week.at(-1)?.date).toBe('2026-11-21')
})

test('a call that is given back never makes a Prometheus counter go down', async () => {
  const { store, counters, today } = house()
  async function badges() {
    return /requests_total\{endpoint="badge"\} (\d+)/.exec(await counters.prometheus())?.[1]
  }
  await store.traffic.add(today(), kind, 5)
  expect(await badges()).toBe('5')
  await store.traffic.add(today(), kind, -2)
  expect(await badges()).toBe('5')
  await store.traffic.add(today(), kind, 3)
  expect(await badges()).toBe('6')
})

test('quantiles lie within a bucket of the truth, and a slow outlier has a bucket too', () => {
  const histogram = createHistogram()
  expect(quantileMs(histogram.snapshot(), 0.99)).toBe(0)
  for (let ms = 1; ms <= 1000; ms++) histogram.observe(ms)
  for (const [q, truth] of [
    [0.5, 500],
    [0.9, 900],
    [0.99, 990],
  ] as const) {
    expect(Math.abs(quantileMs(histogram.snapshot(), q) / truth - 1)).toBeLessThan(0.3)
  }
  histogram.observe(1e9)
  const snapshot = histogram.snapshot()
  expect(countOf(snapshot) - (cumulativeBuckets(snapshot).at(-1)?.count ?? 0)).toBe(1)
})
