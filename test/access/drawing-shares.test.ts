import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDrawingShares } from '../../src/access/drawing-shares.ts'
import { utcDay } from '../../src/lib/clock.ts'
import { type Meter, MeterUnavailable } from '../../src/store/meter.ts'
import type { Store } from '../../src/store/open.ts'
import { movableClock } from '../store/clock.ts'
import { dropDatabaseOf, openTestStore } from '../support/test-store.ts'
import { noonMs } from './temporary-access.ts'

const directory = mkdtempSync(join(tmpdir(), 'mintmark-shares-'))
const stores: Store[] = []
afterAll(async () => {
  for (const store of stores) await store.close()
  rmSync(directory, { recursive: true, force: true })
  await dropDatabaseOf(directory)
})

const clock = movableClock(noonMs)

/** One of several processes with one database. */
async function openProcess({
  file = 'mintmark.sqlite',
  dailyDrawings = undefined as number | undefined,
} = {}) {
  const store = await openTestStore({ path: join(directory, file), clock })
  stores.push(store)
  const reserved: number[] = []
  const meter: Meter = {
    ...store.meter,
    reserve(request) {
      reserved.push(request.n ?? 1)
      return store.meter.reserve(request)
    },
  }
  const shares = createDrawingShares({ meter, usage: store.usage, clock, dailyDrawings })
  return {
    ...shares,
    reserved,
    stored: (keyId: string) => store.usage.used(utcDay(clock.now()), `drawings:${keyId}`),
    /** Draws so often, and returns how many drawings were within the bound. */
    async draw(keyId: string, dailyQuota: number | null, times: number): Promise<number> {
      let within = 0
      for (let i = 0; i < times; i += 1) if (await shares.take(keyId, dailyQuota)) within += 1
      return within
    },
  }
}

/** A process may draw a share on credit before the store has said that there is none. */
function expectBetween(drawn: number, min: number, max: number): void {
  expect(drawn).toBeGreaterThanOrEqual(min)
  expect(drawn).toBeLessThanOrEqual(max)
}

test('three processes together make the drawings of the bound, and each at most a share more', async () => {
  const processes = [await openProcess(), await openProcess(), await openProcess()]
  for (const [keyId, dailyQuota, bound] of [
    ['of 2000', 100, 2000],
    ['of 140', 7, 140],
    ['of 60', 3, 60],
    ['of none', 0, 0],
  ] as const) {
    const within = await Promise.all(processes.map((one) => one.draw(keyId, dailyQuota, bound + 5)))
    const drawn = within.reduce((sum, count) => sum + count)
    expectBetween(drawn, bound, bound + 3 * Math.max(1, bound / 20))
    expect(await processes[0]?.read(keyId, dailyQuota)).toEqual({ used: bound, limit: bound })
  }
})

test('a share is asked for once, however many drawings wait for it', async () => {
  const one = await openProcess()
  const drawings = Array.from({ length: 100 }, () => one.take('waited for', 100))
  expect(new Set(await Promise.all(drawings))).toEqual(new Set([true]))
  expect(one.reserved).toEqual([100])
  expect(await one.read('waited for', 100)).toEqual({ used: 100, limit: 2000 })
  expect(await one.take('waited for', 100)).toBe(true)
  expect(one.reserved).toEqual([100, 100])
  expect(await one.read('waited for', 100)).toEqual({ used: 101, limit: 2000 })
})

test('a process that ends gives back what it did not use, and one that crashes loses a share at most', async () => {
  const [ended, crashed, next] = [await openProcess(), await openProcess(), await openProcess()]
  await ended.draw('left', 100, 3)
  await ended.close()
  expect(await next.stored('left')).toBe(3)
  await crashed.draw('left', 100, 3)
  expect(await crashed.read('left', 100)).toEqual({ used: 6, limit: 2000 })
  expect(await next.read('left', 100)).toEqual({ used: 3 + 100, limit: 2000 })
  expectBetween(await next.draw('left', 100, 2100), 2000 - 3 - 100, 2000 - 3)
})

test('the bound is new on each day, and follows the quota of the key', async () => {
  const one = await openProcess()
  expectBetween(await one.draw('raised', 2, 50), 40, 42)
  expectBetween(await one.draw('raised', 3, 50), 20, 23)
  expect(await one.draw('raised', null, 500)).toBe(500)
  expect(await one.read('raised', null)).toEqual({ used: 560, limit: null })
  clock.nowMs += 86_400_000
  expectBetween(await one.draw('raised', 2, 50), 40, 42)
})

test('the operator’s bound holds for every key with a quota', async () => {
  const one = await openProcess({ dailyDrawings: 5 })
  expectBetween(await one.draw('bound', 100, 9), 5, 6)
  expect(await one.draw('bound', null, 200)).toBe(200)
})

test('what was drawn while the store was away is not given back as if it had been counted', async () => {
  const store = await openTestStore({ path: join(directory, 'away.sqlite'), clock })
  stores.push(store)
  let isAway = false
  const meter: Meter = {
    ...store.meter,
    reserve: (request) =>
      isAway ? Promise.reject(new MeterUnavailable('away')) : store.meter.reserve(request),
  }
  const shares = createDrawingShares({ meter, usage: store.usage, clock, dailyDrawings: 200 })
  for (let i = 0; i < 10; i += 1) await shares.take('away', 100)
  expect(await shares.read('away', 100)).toEqual({ used: 10, limit: 200 })
  isAway = true
  await shares.take('away', 100)
  expect(await shares.read('away', 100)).toEqual({ used: 10, limit: 200 })
  await shares.close()
  expect(await shares.read('away', 100)).toEqual({ used: 10, limit: 200 })
})

test('while the store is away drawings go on, and it is asked once a share', async () => {
  let asked = 0
  const shares = createDrawingShares({
    meter: {
      reserve: () => {
        asked += 1
        return Promise.reject(new MeterUnavailable('away'))
      },
      release: () => Promise.reject(new Error('nothing was counted')),
    },
    usage: {
      used() {
        throw new Error('not asked here')
      },
    },
    clock,
    dailyDrawings: undefined,
  })
  for (let i = 0; i < 250; i += 1) expect(await shares.take('away', 100)).toBe(true)
  expect(asked).toBe(3)
  await shares.close()
})
