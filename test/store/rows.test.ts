import { beforeAll, expect, test } from 'bun:test'
import { dayMs, utcDay, utcHour } from '../../src/lib/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { createPageStore } from '../../src/store/page-store.ts'
import { prune, startPruning } from '../../src/store/prune.ts'
import { cardRowsMax, type SharedCard, sharesLock } from '../../src/store/shares.ts'
import { openSqlite } from '../../src/store/sqlite.ts'
import { started } from '../support/started.ts'
import { openTestStore } from '../support/test-store.ts'
import { movableClock } from './clock.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const clock = { now: () => Date.parse('2026-06-01T08:00:00Z') }
const today = utcDay(clock.now())

test('pruning keeps a year of usage, and addresses of today only', async () => {
  const store = openStore({ path: ':memory:', clock })
  for (const day of [today - 401, today - 400, today - 1, today]) await store.usage.set(day, 'key:a', 1)
  for (const day of [today - 30, today - 1, today]) await store.usage.set(day, 'ip:192.0.2.1:keys', 1)
  await prune(store, clock)
  async function days(bucket: string) {
    return (await store.usage.history(bucket, today - 500, today)).map((row) => row.day - today)
  }
  expect(await days('key:a')).toEqual([-400, -1, 0])
  expect(await days('ip:192.0.2.1:keys')).toEqual([0])
})

test('pruning keeps what was counted once a day until the day is over', async () => {
  const moving = movableClock(clock.now() - dayMs)
  const store = openStore({ path: ':memory:', clock: moving })
  async function count(): Promise<number> {
    return (await store.meter.reserve({ bucket: 'key:a', limit: null, dedupKey: 'card' })).counted
  }
  expect(await count()).toBe(1)
  moving.nowMs = clock.now()
  expect(await count()).toBe(1)
  await prune(store, clock)
  expect(await count()).toBe(0)
  moving.nowMs -= dayMs
  expect(await count()).toBe(1)
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
  const store = openStore({ path: ':memory:', clock: { now: () => clock.now() - dayMs } })
  const request = { bucket: 'key:a', limit: null }
  await Promise.all(
    Array.from({ length: 2_500 }, (_, row) => store.meter.reserve({ ...request, dedupKey: String(row) })),
  )
  await prune(store, clock)
  expect(await store.usage.pruneDedupKeys(today, 10)).toBe(0)
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
  await store.usage.set(today - 1, 'ip:192.0.2.1:keys', 1)
  const errors: unknown[] = []
  const stop = startPruning(store, clock, { everyMs: 5, onError: (error) => errors.push(error) })
  while ((await store.usage.used(today - 1, 'ip:192.0.2.1:keys')) > 0) await Bun.sleep(1)
  expect(errors).toEqual([])
  await store.close()
  while (errors.length === 0) await Bun.sleep(1)
  stop()
  const reported = errors.length
  await Bun.sleep(20)
  expect(errors).toHaveLength(reported)
})

const networks = 40

const card: SharedCard = {
  keyId: 'mk_1',
  day: 7,
  network: 'x',
  address: 'a',
  asset: 'og',
  title: 'Hello',
  url: 'example.com',
  query: 'title=Hello',
  count: 1,
}

async function openShares() {
  const store = await openTestStore({ path: ':memory:' })
  return {
    ...store,
    add: (cards: readonly SharedCard[]) =>
      store.transaction(() => store.shares.add(cards, networks), { locks: [sharesLock] }),
  }
}

test('a key has at most 300 rows a day, and nothing beyond them is lost', async () => {
  const { shares, add } = await openShares()
  for (const network of ['x', 'slack'])
    await add(Array.from({ length: 400 }, (_, n) => ({ ...card, network, address: `${network} ${n}` })))
  await add([{ ...card, address: 'x 399' }])
  const rows = await shares.newest('mk_1', 0, 1_000)
  expect(rows.length).toBeLessThanOrEqual(cardRowsMax)
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(801)
  const rest = rows.filter(({ title }) => title === '')
  expect(rest.map(({ network }) => network).toSorted()).toEqual(['slack', 'x'])
  const expected = [
    { day: 7, network: 'slack', count: 400 },
    { day: 7, network: 'x', count: 401 },
  ]
  expect(await shares.days('mk_1', 7, 7)).toEqual(expected)
})

test('a card that has a row goes on counting there when there is room for no other', async () => {
  const { shares, add } = await openShares()
  await add([card, ...Array.from({ length: 400 }, (_, n) => ({ ...card, address: `other ${n}` }))])
  await add([{ ...card, count: 5 }])
  const [first] = (await shares.cards('mk_1', 7, 500)).filter(({ address }) => address === 'a')
  const words = { address: 'a', asset: 'og', title: 'Hello', url: 'example.com' }
  expect(first).toEqual({ ...words, isDrawable: 1, count: 6 })
})

test('keys, days and servers have their own rows', async () => {
  const { shares, add } = await openShares()
  await Promise.all([
    add([card]),
    add([card]),
    add([{ ...card, day: 8 }]),
    add([{ ...card, keyId: 'mk_2', count: 3 }]),
  ])
  const expected = [
    { day: 8, count: 1 },
    { day: 7, count: 2 },
  ]
  expect(await shares.newest('mk_1', 7, 9)).toMatchObject(expected)
  expect(await shares.keys(7, 9)).toEqual([
    { keyId: 'mk_1', count: 3 },
    { keyId: 'mk_2', count: 3 },
  ])
  expect(await shares.days('', 0, 9)).toEqual([
    { day: 7, network: 'x', count: 5 },
    { day: 8, network: 'x', count: 1 },
  ])
})

const entry = { atMs: 1, actor: 'a1b2', address: '127.0.0.1', action: 'key.revoke', detail: '' }

test('the database itself refuses to change or remove what the operator did', async () => {
  const path = `${temporaryDirectory()}/audit.sqlite`
  const store = openStore({ path })
  await store.audit.add({ ...entry, subject: 'mk_x' })
  const sqlite = openSqlite(path)
  expect(() => sqlite.exec("update audit_entries set action = 'key.create'")).toThrow('append-only')
  expect(() => sqlite.exec('delete from audit_entries')).toThrow('append-only')
  const expected = [{ action: 'key.revoke', subject: 'mk_x' }]
  expect(await store.audit.page(Number.MAX_SAFE_INTEGER, 10)).toMatchObject(expected)
  sqlite.close()
  await store.close()
})

test('the audit log begins with the newest entry, and a page ends where the next one begins', async () => {
  const store = await openTestStore({ path: ':memory:' })
  for (const subject of ['mk_1', 'mk_2', 'mk_3']) await store.audit.add({ ...entry, subject })
  const first = await store.audit.page(Number.MAX_SAFE_INTEGER, 2)
  expect(first.map(({ subject }) => subject)).toEqual(['mk_3', 'mk_2'])
  const next = await store.audit.page(first.at(-1)?.id ?? 0, 2)
  expect(next.map(({ subject }) => subject)).toEqual(['mk_1'])
  await store.close()
})

let pages: ReturnType<typeof createPageStore>
const store = started(() => openTestStore({ path: ':memory:' }))
beforeAll(async () => {
  pages = createPageStore(store, pagesMax)
})

const pagesMax = 500
const facts = { facts: '{}', etag: '"v1"', lastModified: null }
function page(number: number) {
  return { digest: String(number).padStart(32, '0'), url: `https://example.com/${number}` }
}

test('a page that could not be read keeps its facts, and counts from when it was gone', async () => {
  pages.setRead({ ...page(1), ...facts, atMs: 1_000 })
  pages.setFailed({ ...page(1), reason: 'dns_error', atMs: 2_000 })
  pages.setFailed({ ...page(1), reason: 'target_http_status 404', atMs: 3_000 })
  await store.deferred.flush()
  expect(await pages.find(page(1).digest)).toMatchObject({
    facts: '{}',
    readAtMs: 1_000,
    failedAtMs: 3_000,
    goneAtMs: 2_000,
    reason: 'target_http_status 404',
    failures: 2,
  })
  pages.setRead({ ...page(1), ...facts, atMs: 4_000 })
  await store.deferred.flush()
  expect(await pages.find(page(1).digest)).toMatchObject({ failedAtMs: null, goneAtMs: null, failures: 2 })
})

test('of all who claim a page one may read it, until it was read or the claim is over', async () => {
  pages.setRead({ ...page(2), ...facts, atMs: 1_000 })
  const claims = await Promise.all(
    Array.from({ length: 20 }, () => pages.claim(page(2).digest, 1_000, 5_000, 35_000)),
  )
  expect(claims.filter((isOurs) => isOurs)).toHaveLength(1)
  expect(await pages.claim(page(2).digest, 1_000, 36_000, 66_000)).toBe(true)
  pages.setRead({ ...page(2), ...facts, atMs: 37_000 })
  expect(await pages.claim(page(2).digest, 1_000, 37_000, 67_000)).toBe(false)
  expect(await pages.claim(page(2).digest, 37_000, 37_000, 67_000)).toBe(true)
})

test('a claim from a clock that was set back since ends too', async () => {
  pages.setRead({ ...page(3), ...facts, atMs: 1_000 })
  expect(await pages.claim(page(3).digest, 1_000, 9_000_000, 9_030_000)).toBe(true)
  expect(await pages.claim(page(3).digest, 1_000, 5_000, 35_000)).toBe(true)
})

test('pages that visitors of sites asked for in vain are few, take no room of others, and are pages once they are read', async () => {
  const url = (number: number) => ({ ...page(5_000_000 + number), url: `https://example.com/none/${number}` })
  pages.setRead({ ...page(4), ...facts, atMs: 1_000 })
  pages.setFailed({ ...page(4), reason: 'dns_error', atMs: 2_000 }, true)
  for (let number = 0; number < 700; number += 1)
    pages.setFailed({ ...url(number), reason: 'target_http_status 404', atMs: 10_000 + number }, true)
  await store.deferred.flush()
  expect(await store.webSources.count('unread_page')).toBeLessThanOrEqual(500)
  expect(await pages.find(page(4).digest)).toMatchObject({ kind: 'page', facts: '{}' })
  expect(await pages.find(url(0).digest)).toBeUndefined()
  expect(await pages.find(url(699).digest)).toMatchObject({ kind: 'unread_page' })
  const failing = await store.webSources.list('failing', 1_000)
  expect(failing.map((source) => source.url)).toContain(url(699).url)
  pages.setRead({ ...url(699), ...facts, atMs: 20_000 })
  await store.deferred.flush()
  expect(await pages.find(url(699).digest)).toMatchObject({ kind: 'page', reason: null })
})

test('the pages that were not used for longest make room for new ones', async () => {
  await store.transaction(function* () {
    for (let number = 10; number < pagesMax + 10; number += 1)
      yield* store.webSources.setRead({ kind: 'page', ...page(number), ...facts, atMs: 1_000_000 + number })
  })
  pages.addUse(page(10).digest, 3, 9_000_000)
  for (let number = 0; number < 300; number += 1)
    pages.setRead({ ...page(1_000_000 + number), ...facts, atMs: 8_000_000 + number })
  await store.deferred.flush()
  expect(await store.webSources.count('page')).toBeLessThanOrEqual(pagesMax)
  expect(await pages.find(page(10).digest)).toMatchObject({ requests: 3 })
  expect(await pages.find(page(11).digest)).toBeUndefined()
  expect(await pages.find(page(1_000_299).digest)).toBeDefined()
})

test('addresses that were never read make room before pages whose facts are known, so that none is pushed out by them', async () => {
  const other = createPageStore(store, pagesMax, 'document')
  await store.transaction(function* () {
    for (let number = 2_000; number < pagesMax + 1_999; number += 1)
      yield* store.webSources.setFailed({
        kind: 'document',
        ...page(number),
        reason: 'dns_error',
        atMs: 9_000,
      })
  })
  other.setRead({ ...page(3_000), ...facts, atMs: 1_000 })
  for (let number = 4_000; number < 4_010; number += 1)
    other.setFailed({ ...page(number), reason: 'dns_error', atMs: 10_000 })
  await store.deferred.flush()
  expect(await other.find(page(3_000).digest)).toMatchObject({ facts: '{}' })
  expect(await store.webSources.count('document')).toBeLessThanOrEqual(pagesMax)
})
