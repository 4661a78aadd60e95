import { expect, test } from 'bun:test'
import { createTrafficLog } from '../../src/access/traffic-log.ts'
import { utcDay } from '../../src/lib/clock.ts'
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
