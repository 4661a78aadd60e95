import { expect, test } from 'bun:test'
import { utcDay, utcHour } from '../../src/lib/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { prune, startPruning } from '../../src/store/prune.ts'

const clock = { now: () => Date.parse('2026-06-01T08:00:00Z') }
const today = utcDay(clock.now())

test('pruning keeps a year of usage, and addresses and views of today only', async () => {
  const store = openStore({ path: ':memory:', clock })
  for (const day of [today - 401, today - 400, today - 1, today]) await store.usage.set(day, 'key:a', 1)
  for (const day of [today - 30, today - 1, today]) await store.usage.set(day, 'ip:192.0.2.1:keys', 1)
  for (const day of [today - 1, today]) await store.deduplication.add(day, 'key:a', 'card')
  await prune(store, clock)
  async function days(bucket: string) {
    return (await store.usage.history(bucket, today - 500, today)).map((row) => row.day - today)
  }
  expect(await days('key:a')).toEqual([-400, -1, 0])
  expect(await days('ip:192.0.2.1:keys')).toEqual([0])
  expect(await store.deduplication.has(today - 1, 'key:a', 'card')).toBe(false)
  expect(await store.deduplication.has(today, 'key:a', 'card')).toBe(true)
})

test('pruning keeps what each card was fetched for 30 days, and the sums for 400', async () => {
  const store = openStore({ path: ':memory:', clock })
  const words = { asset: 'og', title: '', url: '', query: '' }
  const card = { keyId: 'mk_1', network: 'x', address: 'a', count: 1, ...words }
  const days = [401, 400, 31, 30, 0].map((age) => today - age)
  await store.transaction(() =>
    store.shares.add(
      days.map((day) => ({ ...card, day })),
      1,
    ),
  )
  await prune(store, clock)
  expect((await store.shares.newest('mk_1', 0, 9)).map(({ day }) => today - day)).toEqual([0, 30])
  expect((await store.shares.days('mk_1', 0, today)).map(({ day }) => today - day)).toEqual([400, 31, 30, 0])
})

test('pruning works through more rows than it removes at once', async () => {
  const store = openStore({ path: ':memory:', clock })
  await store.transaction(function* () {
    for (let row = 0; row < 2_500; row += 1) yield* store.deduplication.add(today - 1, 'key:a', String(row))
  })
  await prune(store, clock)
  expect(await store.deduplication.prune(today, 10)).toBe(0)
})

test('pruning keeps three days of traffic by hour', async () => {
  const store = openStore({ path: ':memory:', clock })
  const hour = utcHour(clock.now())
  for (const age of [74, 73, 72, 1, 0]) await store.trafficHours.add(hour - age, 'og', 'key', '2xx', 1)
  await prune(store, clock)
  const hours = (await store.trafficHours.between(0, hour)).map((row) => hour - row.hour)
  expect(hours.toSorted((a, b) => b - a)).toEqual([72, 1, 0])
})

test('pruning folds old traffic together, so that totals stay', async () => {
  const store = openStore({ path: ':memory:', clock })
  const kind = { endpoint: 'og', auth: 'demo', status: '2xx' }
  for (const day of [today - 900, today - 761, today - 1]) await store.traffic.add(day, kind, 10)
  await prune(store, clock)
  await prune(store, clock)
  expect(await store.traffic.totals()).toEqual([{ endpoint: 'og', count: 30 }])
  expect((await store.traffic.between(0, today)).map((row) => row.day)).toEqual([0, today - 1])
})

test('usage of a bucket is told for the days that were asked for', async () => {
  const store = openStore({ path: ':memory:', clock })
  for (const day of [today - 8, today - 6, today]) await store.usage.set(day, 'key:a', 3)
  await store.usage.set(today, 'key:b', 9)
  expect(
    (await store.usage.history('key:a', today - 6, today)).map(({ day, used }) => [day - today, used]),
  ).toEqual([
    [-6, 3],
    [0, 3],
  ])
})

test('pruning happens by itself, and reports what goes wrong until it is ended', async () => {
  const store = openStore({ path: ':memory:', clock })
  await store.deduplication.add(today - 1, 'key:a', 'card')
  const errors: unknown[] = []
  const stop = startPruning(store, clock, { everyMs: 5, onError: (error) => errors.push(error) })
  while (await store.deduplication.has(today - 1, 'key:a', 'card')) await Bun.sleep(1)
  expect(errors).toEqual([])
  await store.close()
  while (errors.length === 0) await Bun.sleep(1)
  stop()
  const reported = errors.length
  await Bun.sleep(20)
  expect(errors).toHaveLength(reported)
})
