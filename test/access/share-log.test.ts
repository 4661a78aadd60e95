import { expect, test } from 'bun:test'
import { createShareLog, type Share } from '../../src/access/traffic-log.ts'
import { utcDay } from '../../src/lib/clock.ts'
import { cardRowsMax } from '../../src/store/shares.ts'
import { movableClock } from '../store/clock.ts'
import { openTestStore } from '../support/test-store.ts'

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
  expect(await store.shares.days('mk_1', 0, day + 1)).toEqual([
    { day, network: 'x', count: 1 },
    { day: day + 1, network: 'x', count: 2 },
  ])
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
