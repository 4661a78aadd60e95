import { expect, test } from 'bun:test'
import { readOverQuota } from '../../src/access/over-quota.ts'
import { utcDay } from '../../src/lib/clock.ts'
import { createTemporaryAccess, embedded, noonMs, outcome, requestOf, signed } from './temporary-access.ts'

const day = 86_400_000
const crawler = 'facebookexternalhit/1.1'
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

async function start(dailyQuota = 2) {
  const access = await createTemporaryAccess()
  const pair = await access.keys.create({ dailyQuota })
  const { authorizer, clock, store } = access
  function call(url: string, userAgent: string, method = 'GET') {
    const headers = new Headers({ 'user-agent': userAgent })
    return authorizer.authorize({ ...requestOf(url, method), headers })
  }
  const sign = (title: string) => embedded(pair, { title }, noonMs + 3000 * day)
  const view = async (title: string, userAgent: string, method?: string) =>
    outcome(await call(await sign(title), userAgent, method))
  return {
    ...access,
    pair,
    call,
    sign,
    view,
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
  expect(await view('New', browser)).toBe('quota_exhausted')
  expect(await view('New', '')).toBe('quota_exhausted')
  expect(await view('New', crawler)).toBe('key')
  expect(await view('New', browser)).toBe('quota_exhausted')
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
  const { view, useUp, overToday, clock } = await start()
  const asked = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => view(`Card ${index}`, crawler)))
  const granted = async (count: number) => (await asked(count)).filter((each) => each === 'key').length
  await useUp()
  expect(await granted(15)).toBe(15)
  clock.nowMs += 10 * day
  await useUp()
  expect([await granted(30), await overToday()]).toEqual([5, 5])
  clock.nowMs += 19 * day
  await useUp()
  expect(await granted(3)).toBe(0)
  clock.nowMs += day
  await useUp()
  expect([await granted(30), await overToday()]).toEqual([15, 15])
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
  await keys.setDailyQuota(pair.key.id, 0)
  expect(await view('New', crawler)).toBe('quota_exhausted')
})
