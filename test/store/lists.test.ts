import { beforeEach, describe, expect, test } from 'bun:test'
import { hash } from 'node:crypto'
import { openStore } from '../../src/store/open.ts'
import { createDocumentList } from '../../src/store/page-store.ts'
import { authorizationRow, chargeRow, transferRow } from './payment-rows.ts'
import { temporaryDirectory } from './temporary-directory.ts'

function digestOf(url: string): string {
  return hash('sha256', `document ${url}`, 'hex').slice(0, 32)
}

test('the operator learns how reading a document went, and how often it was asked for', async () => {
  const store = openStore({ path: ':memory:' })
  const clock = { now: () => 1_000 }
  const { record } = createDocumentList(store, clock)
  const url = 'https://example.com/coverage.json'
  record(url, { failure: undefined, requests: 1 })
  record(url, { failure: 'target_http_status', requests: 4 })
  await store.deferred.flush()
  expect(await store.webSources.find(digestOf(url))).toMatchObject({
    kind: 'document',
    url,
    readAtMs: 1_000,
    failedAtMs: 1_000,
    reason: 'target_http_status',
    requests: 5,
    failures: 1,
  })
  record(url, { failure: undefined, requests: 1 })
  await store.deferred.flush()
  expect(await store.webSources.find(digestOf(url))).toMatchObject({ reason: null, requests: 6, failures: 1 })
  await store.close()
})

test('documents that nobody uses make room for others', async () => {
  const store = openStore({ path: ':memory:' })
  let nowMs = 0
  const { record } = createDocumentList(store, { now: () => nowMs }, 10)
  for (nowMs = 1; nowMs <= 30; nowMs += 1)
    record(`https://example.com/${nowMs}`, { failure: undefined, requests: 1 })
  await store.deferred.flush()
  expect(await store.webSources.count('document')).toBe(10)
  expect(await store.webSources.find(digestOf('https://example.com/30'))).toBeDefined()
  await store.close()
})

test('another server learns of the orders of the operator within a minute, while the document is in use', async () => {
  const store = openStore({ path: ':memory:' })
  let nowMs = 1_000
  const [here, there] = [store, store].map((each) => createDocumentList(each, { now: () => nowMs }))
  const url = 'https://example.com/version.json'
  expect(there?.peek(url)).toBeUndefined()
  expect(await there?.load(url)).toMatchObject({ isBlocked: false, renewals: 0 })
  here?.record(url, { failure: undefined, requests: 1 })
  await store.deferred.flush()
  await store.webSources.setBlocked(digestOf(url), true)
  await store.webSources.renew(digestOf(url))
  expect(await here?.reload(url)).toMatchObject({ isBlocked: true, renewals: 1 })
  nowMs += 59_000
  expect(there?.peek(url)).toMatchObject({ isBlocked: false })
  nowMs += 2_000
  while (there?.peek(url)?.isBlocked !== true) await Bun.sleep(1)
  expect(there?.peek(url)).toMatchObject({ isBlocked: true, renewals: 1 })
  await store.close()
})

const store = openStore({ path: `${temporaryDirectory()}/list.sqlite` })
const ids = Array.from({ length: 30 }, (_, index) => `mk_${String(index).padStart(4, '0')}`)
for (const [index, id] of ids.entries()) {
  await store.keys.insert({
    id,
    name: `Site ${index} "quoted" café`,
    createdAtMs: 1000 + Math.floor(index / 3),
  })
  if (index % 10 === 0) await store.keys.update(id, { revokedAtMs: 5 })
  await store.usage.set(7, `key:${id}`, index % 4)
}
await store.usage.set(7, 'demo', 999)

describe('lists of keys', () => {
  test('pages follow one another without gap or repetition', async () => {
    const listed: string[] = []
    for (let after: string | undefined; ; ) {
      const page = await store.keyList.newest('any', 7, after)
      if (page.length === 0) break
      listed.push(...page.map(({ id }) => id))
      after = page.at(-1)?.id
    }
    expect(listed).toEqual(ids.toReversed())
  })

  test('a status shows its keys and no others', async () => {
    const expected = ['mk_0020', 'mk_0010', 'mk_0000']
    expect((await store.keyList.newest('revoked', 50)).map(({ id }) => id)).toEqual(expected)
    expect(await store.keyList.newest('active', 50)).toHaveLength(27)
  })

  test('keys that end within a span come in the order of their ends, page by page, without revoked ones', async () => {
    const ends = new Map([5, 9, 9, 9, 12, 20, 21].map((endMs, index) => [`mk_000${index + 1}`, endMs]))
    for (const [id, expiresAtMs] of ends) await store.keys.update(id, { expiresAtMs })
    await store.keys.update('mk_0010', { expiresAtMs: 10 })
    async function pages(order: 'first' | 'last', afterMs: number, upToMs: number) {
      const listed: string[] = []
      for (;;) {
        const page = await store.keyList.ending(order, { afterMs, upToMs }, 2, listed.at(-1))
        if (page.length === 0) return listed
        listed.push(...page.map(({ id }) => id))
      }
    }
    const within = ['mk_0002', 'mk_0003', 'mk_0004', 'mk_0005', 'mk_0006']
    expect(await pages('first', 5, 20)).toEqual(within)
    expect(await pages('last', 5, 20)).toEqual(within.toReversed())
    expect(await store.keyList.endingCount({ afterMs: 5, upToMs: 20 }, 100)).toBe(5)
    expect(await store.keyList.endingCount({ afterMs: 5, upToMs: 20 }, 3)).toBe(3)
    for (const id of [...ends.keys(), 'mk_0010']) await store.keys.update(id, { expiresAtMs: null })
    expect(await pages('first', 0, Number.MAX_SAFE_INTEGER)).toEqual([])
  })

  test('any part of a name or id finds a key, whatever characters it has', async () => {
    expect((await store.keyList.search('mk_0017', 5)).map(({ id }) => id)).toEqual(['mk_0017'])
    expect((await store.keyList.search('ite 29 "quo', 5)).map(({ id }) => id)).toEqual(['mk_0029'])
    expect(await store.keyList.search('CAFÉ', 50)).toHaveLength(30)
    expect(await store.keyList.search('nothing" OR "site', 5)).toEqual([])
    await store.keys.update('mk_0003', { name: 'Renamed' })
    expect((await store.keyList.search('renamed', 5)).map(({ id }) => id)).toEqual(['mk_0003'])
    expect(await store.keyList.search('Site 3 ', 5)).toEqual([])
  })

  test('the most used ones come first, and only keys', async () => {
    const first = await store.keyList.mostUsed(7, 10)
    const second = await store.keyList.mostUsed(7, 100, {
      used: first.at(-1)?.used ?? 0,
      id: first.at(-1)?.id ?? '',
    })
    const uses = [...first, ...second].map(({ used }) => used)
    expect(uses).toEqual(uses.toSorted((a, b) => b - a))
    expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(30)
  })

  test('the number of keys is known without counting them', async () => {
    expect(await store.keys.issued()).toBe(30)
  })
})

const dayMs = 86_400_000
const directory = temporaryDirectory()
let shop: ReturnType<typeof openStore>
let stores = 0
beforeEach(() => {
  stores += 1
  shop = openStore({ path: `${directory}/${stores}.sqlite` })
})

async function addTransfer(id: string, createdAtMs = 5 * dayMs): Promise<void> {
  await shop.transaction(() => shop.payments.insertTransfer(transferRow(id, { createdAtMs }), []))
}

async function addPromise(id: string, createdAtMs = 5 * dayMs): Promise<void> {
  await shop.transaction(() => shop.payments.insertAuthorization(authorizationRow(id, { createdAtMs })))
}

describe('the sums of a day', () => {
  test('follow every payment that settles, and every one that turns out not to have', async () => {
    await addTransfer('1')
    await addPromise('2')
    expect(await shop.paymentList.days(0, 9)).toEqual([{ day: 5, count: 1, amountMicros: 10_000 }])
    await shop.payments.transition('2', { from: ['reserved'], to: 'submitted', nowMs: 1 })
    const money = { txHash: '0x2', blockNumber: 1, blockHash: '0x3', logIndexes: [0], nowMs: 2 }
    expect(await shop.transaction(() => shop.payments.settle('2', money))).toBe(true)
    expect(await shop.paymentList.days(0, 9)).toEqual([{ day: 5, count: 2, amountMicros: 20_000 }])
    await shop.payments.transition('1', { from: ['settled'], to: 'reorged', nowMs: 3 })
    expect(await shop.paymentList.days(0, 9)).toEqual([{ day: 5, count: 1, amountMicros: 10_000 }])
  })
})

describe('lists of payments', () => {
  /** Twenty payments of one wallet, ten of which have failed. */
  async function addMany(): Promise<void> {
    for (let index = 10; index < 30; index++) {
      const createdAtMs = 6 * dayMs + Math.floor(index / 4)
      if (index % 2) await addTransfer(String(index), createdAtMs)
      else await addPromise(String(index), createdAtMs)
      await shop.payments.transition(String(index), { from: ['reserved'], to: 'failed', nowMs: createdAtMs })
    }
  }

  test('pages follow one another, all or of one state', async () => {
    await addMany()
    for (const state of ['any', 'failed'] as const) {
      const listed: string[] = []
      for (let after: string | undefined; ; ) {
        const page = await shop.paymentList.newest(state, 3, after)
        if (page.length === 0) break
        listed.push(...page.map(({ id }) => id))
        after = page.at(-1)?.id
      }
      expect(new Set(listed).size).toBe(listed.length)
      expect(listed).toHaveLength(state === 'any' ? 20 : 10)
    }
  })

  test('a hash finds its payments, a wallet its own, page by page', async () => {
    await addMany()
    expect((await shop.paymentList.byHash('0x11', 5)).map(({ id }) => id)).toEqual(['11'])
    const first = await shop.paymentList.ofPayer('0xc', 15)
    const second = await shop.paymentList.ofPayer('0xc', 15, first.at(-1)?.id)
    expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(20)
    expect(await shop.paymentList.ofPayer('nobody', 5)).toEqual([])
  })

  test('money that bought nothing is unclaimed until it does', async () => {
    await addTransfer('unclaimed', 8 * dayMs)
    async function newest() {
      return (await shop.paymentList.newest('unclaimed', 1))[0]?.id
    }
    expect(await newest()).toBe('unclaimed')
    await shop.payments.spend('unclaimed', 10_000)
    expect(await newest()).not.toBe('unclaimed')
  })

  test('what a payment bought is listed without the answers', async () => {
    await addTransfer('unclaimed', 8 * dayMs)
    await shop.charges.insert(chargeRow('charge', 'unclaimed', { createdAtMs: 8 * dayMs }))
    expect(await shop.paymentList.purchases('unclaimed', 5)).toEqual([
      { id: 'charge', endpoint: 'og', amountMicros: 10_000, state: 'reserved', createdAtMs: 8 * dayMs },
    ])
    expect((await shop.paymentList.byHash('0xunclaimed', 1))[0]?.endpoint).toBe('og')
  })
})
