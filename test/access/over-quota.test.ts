import { afterAll, expect, spyOn, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDrawingShares } from '../../src/access/drawing-shares.ts'
import { isStrangers } from '../../src/access/key-quota.ts'
import type { KeyOptions } from '../../src/access/keys.ts'
import { createOverQuota, readOverQuota } from '../../src/access/over-quota.ts'
import { utcDay } from '../../src/lib/clock.ts'
import { type Meter, MeterUnavailable } from '../../src/store/meter.ts'
import type { Store } from '../../src/store/open.ts'
import { movableClock } from '../store/clock.ts'
import { temporaryDirectory } from '../store/temporary-directory.ts'
import { dropDatabaseOf, openTestStore } from '../support/test-store.ts'
import {
  embedded,
  noonMs,
  openAccess,
  outcome,
  requestOf,
  signed,
  type TemporaryAccessOptions,
} from './temporary-access.ts'

const day = 86_400_000
const crawler = 'facebookexternalhit/1.1'
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** Enough clients for every part of a budget. */
const clients = Array.from({ length: 12 }, (_, index) => `198.51.100.${index + 1}`)

async function start(
  dailyQuota = 2,
  options: TemporaryAccessOptions = {},
  key: KeyOptions = { dailyQuota, name: 'Site' },
) {
  const access = await openAccess(options)
  const pair = await access.keys.create(key)
  const { authorizer, clock, store } = access
  function call(url: string, userAgent: string, method = 'GET', clientAddress = '192.0.2.1') {
    const headers = new Headers({ 'user-agent': userAgent })
    return authorizer.authorize({ ...requestOf(url, method), headers, clientAddress })
  }
  const sign = (title: string) => embedded(pair, { title }, noonMs + 3000 * day)
  const view = async (title: string, userAgent: string, method?: string) =>
    outcome(await call(await sign(title), userAgent, method))
  /** Asks for so many new cards at once, as a crawler from each of these addresses, and returns how many are shown. */
  async function shown(count: number, addresses: readonly string[] = ['192.0.2.1']) {
    const titles = Array.from({ length: count }, (_, index) => `Card ${index}`)
    const calls = addresses.flatMap((address) =>
      titles.map(async (title) => outcome(await call(await sign(title), crawler, 'GET', address))),
    )
    return (await Promise.all(calls)).filter((each) => each === 'key').length
  }
  return {
    ...access,
    pair,
    call,
    sign,
    view,
    shown,
    /** Uses up the quota of the day. */
    useUp: async () => {
      for (let used = 0; used < dailyQuota; used += 1) await call(await signed(pair, clock.nowMs), browser)
    },
    overToday: () => readOverQuota(store.usage, pair.key.id, utcDay(clock.nowMs)),
    usedToday: () => access.used(`key:${pair.key.id}`),
  }
}

test('a link preview crawler gets its picture where the quota is used up, and everybody else does not', async () => {
  const { view, useUp, overToday, usedToday, store, pair } = await start()
  await useUp()
  expect([await view('New', browser), await view('New', '')]).toEqual(['quota_exhausted', 'quota_exhausted'])
  expect([await view('New', crawler), await view('New', browser)]).toEqual(['key', 'quota_exhausted'])
  expect([await overToday(), await usedToday(), await store.signedAddresses.count(pair.key.id)]).toEqual([
    1, 2, 0,
  ])
})

test('an address that was shown over the quota counts as any other on the first day with room', async () => {
  const { view, useUp, overToday, usedToday, clock } = await start()
  await useUp()
  await view('New', crawler)
  clock.nowMs += day
  expect([await view('New', crawler), await view('New', browser)]).toEqual(['key', 'key'])
  expect([await overToday(), await usedToday()]).toEqual([0, 1])
})

test('ten times the quota is shown in any 30 days, exactly, however many ask at once', async () => {
  const { shown, useUp, overToday, clock } = await start()
  await useUp()
  expect([await shown(1, clients.slice(0, 7)), await shown(2, clients.slice(0, 4))]).toEqual([7, 8])
  clock.nowMs += 10 * day
  await useUp()
  expect([await shown(30, clients), await overToday()]).toEqual([5, 5])
  clock.nowMs += 19 * day
  await useUp()
  expect(await shown(3, clients)).toBe(0)
  clock.nowMs += day
  await useUp()
  expect([await shown(30, clients), await overToday()]).toEqual([15, 15])
})

test('one client, however often and from however many addresses of its network, leaves a quarter to others', async () => {
  const { shown, useUp, clock } = await start(8)
  await useUp()
  expect(await shown(200)).toBe(60)
  clock.nowMs += 5 * day
  await useUp()
  expect([await shown(200), await shown(200, ['2001:db8:0:1::1', '2001:db8:0:1::2'])]).toEqual([0, 10])
  expect([await shown(1, ['203.0.113.1']), await shown(200, clients)]).toEqual([1, 9])
})

test('a restart forgets who had how much, but not how much there was: a quarter is still kept for others', async () => {
  const path = join(temporaryDirectory(), 'restarted.sqlite')
  const { shown, useUp, pair, store, authorizer: _, ...before } = await start(8, { path })
  await useUp()
  expect(await shown(200)).toBe(60)
  await store.close()
  const after = await openAccess({ path })
  after.clock.nowMs = before.clock.nowMs
  const ask = async (title: string, clientAddress: string) =>
    outcome(
      await after.authorizer.authorize({
        ...requestOf(await before.sign(title)),
        headers: new Headers({ 'user-agent': crawler }),
        clientAddress,
      }),
    )
  const asked = await Promise.all(
    Array.from({ length: 100 }, (_, index) => ask(`Card ${index}`, '192.0.2.1')),
  )
  expect(asked.filter((each) => each === 'key')).toHaveLength(10)
  expect([await ask('New', '192.0.2.2'), await after.used(`over:${pair.key.id}`)]).toEqual(['key', 71])
  await after.store.close()
})

test('where all callers have one address, they have the whole of it', async () => {
  const { shown, useUp } = await start(2, { isDivided: () => false })
  await useUp()
  expect(await shown(30)).toBe(20)
})

test('a key that a stranger was issued has twice its quota on the first day, and ten times from then on', async () => {
  const { shown, useUp, clock, keys, pair } = await start(3, { isDivided: () => false }, {})
  await useUp()
  expect(await shown(40)).toBe(6)
  clock.nowMs += day
  await useUp()
  expect([await shown(40), isStrangers(pair.key)]).toEqual([24, true])
  const named = await keys.create({ name: 'Ours' })
  const paid = await keys.upgrade(pair.key.id, clock.nowMs)
  expect([isStrangers(named.key), paid && isStrangers(paid)]).toEqual([false, false])
})

test('an eighth is kept for pages that the site names, of which strangers cannot make up any; a crowd asks the database once', async () => {
  const { store, clock, pair } = await start(8)
  const history = spyOn(store.usage, 'history')
  const reserve = createOverQuota({ store, clock })
  const asked: string[] = []
  async function shown(addresses: readonly string[], page: string, isNamed: boolean) {
    const granted = await Promise.all(
      addresses.map((clientAddress) =>
        reserve({
          request: { headers: new Headers({ 'user-agent': crawler }), clientAddress },
          key: pair.key,
          owner: 'ms_site',
          refused: { bucket: `site:${pair.key.id}`, limit: 8 },
          comesFirst: async () => asked.push(page) > 0 && isNamed,
        }),
      ),
    )
    return granted.filter((each) => each !== undefined).length
  }
  const crowd = Array.from({ length: 60 }, (_, index) => `203.0.113.${index}`)
  expect([await shown(crowd, 'invented', false), asked]).toEqual([60, []])
  expect([await shown(crowd, 'more', false), await shown(crowd, 'still more', false)]).toEqual([10, 0])
  expect(await shown(crowd.slice(0, 6), 'the new page', true)).toBe(6)
  expect(await shown(['192.0.2.1', '192.0.2.1', '192.0.2.1'], 'the new page', true)).toBe(3)
  expect([await shown(crowd, 'the new page', true), history.mock.calls.length]).toEqual([1, 6])
})

test('over the quota nothing is counted by HEAD, and a drawing that failed gives its count back', async () => {
  const { view, call, sign, useUp, overToday } = await start()
  await useUp()
  expect([await view('New', crawler, 'HEAD'), await overToday()]).toEqual(['key', 0])
  const grant = await call(await sign('New'), crawler)
  if (!grant.granted) throw new Error('The call was not granted.')
  expect([grant.quota?.limit, grant.quota?.remaining, await overToday()]).toEqual([2, 0, 1])
  await grant.refund()
  expect(await overToday()).toBe(0)
})

test('only addresses are shown over the quota, and none of a key without any', async () => {
  const { pair, call, useUp, clock, keys, view } = await start()
  await useUp()
  expect(outcome(await call(await signed(pair, clock.nowMs), crawler))).toBe('quota_exhausted')
  await keys.change(pair.key.id, { dailyQuota: 0 })
  expect(await view('New', crawler)).toBe('quota_exhausted')
})

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
  const shares = createDrawingShares({ meter, usage: store.usage }, clock, dailyDrawings)
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
  expect([new Set(await Promise.all(drawings)), one.reserved]).toEqual([new Set([true]), [100]])
  expect(await one.read('waited for', 100)).toEqual({ used: 100, limit: 2000 })
  expect([await one.take('waited for', 100), one.reserved]).toEqual([true, [100, 100]])
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
  const shares = createDrawingShares({ meter, usage: store.usage }, clock, 200)
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
  const meter: Meter = {
    async reserve() {
      asked += 1
      throw new MeterUnavailable('away')
    },
    release: () => Promise.reject(new Error('nothing was counted')),
  }
  const used = () => {
    throw new Error('not asked here')
  }
  const shares = createDrawingShares({ meter, usage: { used } }, clock, undefined)
  for (let i = 0; i < 250; i += 1) expect(await shares.take('away', 100)).toBe(true)
  expect(asked).toBe(3)
  await shares.close()
})
