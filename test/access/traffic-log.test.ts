import { expect, test } from 'bun:test'
import { createTrafficLog } from '../../src/access/traffic-log.ts'
import { utcDay, utcHour } from '../../src/lib/clock.ts'
import { movableClock } from '../store/clock.ts'
import { openTestStore } from '../support/test-store.ts'

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
