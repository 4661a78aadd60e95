import { expect, test } from 'bun:test'
import { cardRowsMax, type SharedCard, sharesLock } from '../../src/store/shares.ts'
import { openTestStore } from '../support/test-store.ts'

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
  expect(await shares.days('mk_1', 7, 7)).toEqual([
    { day: 7, network: 'slack', count: 400 },
    { day: 7, network: 'x', count: 401 },
  ])
})

test('a card that has a row goes on counting there when there is room for no other', async () => {
  const { shares, add } = await openShares()
  await add([card, ...Array.from({ length: 400 }, (_, n) => ({ ...card, address: `other ${n}` }))])
  await add([{ ...card, count: 5 }])
  const [first] = (await shares.cards('mk_1', 7, 500)).filter(({ address }) => address === 'a')
  expect(first).toEqual({
    address: 'a',
    asset: 'og',
    title: 'Hello',
    url: 'example.com',
    isDrawable: 1,
    count: 6,
  })
})

test('keys, days and servers have their own rows', async () => {
  const { shares, add } = await openShares()
  await Promise.all([
    add([card]),
    add([card]),
    add([{ ...card, day: 8 }]),
    add([{ ...card, keyId: 'mk_2', count: 3 }]),
  ])
  expect(await shares.newest('mk_1', 7, 9)).toMatchObject([
    { day: 8, count: 1 },
    { day: 7, count: 2 },
  ])
  expect(await shares.keys(7, 9)).toEqual([
    { keyId: 'mk_1', count: 3 },
    { keyId: 'mk_2', count: 3 },
  ])
  expect(await shares.days('', 0, 9)).toEqual([
    { day: 7, network: 'x', count: 5 },
    { day: 8, network: 'x', count: 1 },
  ])
})
