import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { createChargeTable } from '../../src/store/charges.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import { createPaymentTable } from '../../src/store/payment-table.ts'
import { createSqliteDatabase } from '../../src/store/sqlite/sqlite-database.ts'
import { migrate, openSqlite, type Sqlite } from '../../src/store/sqlite.ts'
import { openTestStore } from '../support/test-store.ts'
import { authorizationRow, transferRow } from './payment-rows.ts'
import { prepareAll } from './prepare-all.ts'
import { temporaryDirectory } from './temporary-directory.ts'

/** The indexes that hold more than one row for what a payer may have done a million times. */
const longLists = /\b(?:payments_by_payer|payments_by_state|payments_by_creation)\b/

test('what a call costs does not grow with what its payer bought before', () => {
  const sqlite = openSqlite(':memory:')
  migrate(sqlite)
  const asked: string[] = []
  const prepare: Sqlite['prepare'] = (sql) => {
    asked.push(sql)
    return sqlite.prepare(sql)
  }
  const recording = createSqliteDatabase({ ...sqlite, prepare })
  prepareAll(recording, createPaymentTable)
  prepareAll(recording, createChargeTable)

  expect(asked.length).toBeGreaterThan(15)
  const plans = asked.flatMap((sql) =>
    sqlite
      .prepare<{ detail: string }>(`explain query plan ${sql}`)
      .all()
      .map(({ detail }) => `${detail} for ${sql}`),
  )
  const ofLongLists = plans.filter((plan) => longLists.test(plan.split(' for ')[0] ?? ''))
  // Read in the order of the index, and no further than the limit, whatever the rows are.
  const isBounded = (plan: string) =>
    /^SEARCH payments USING INDEX payments_by_payer \(payer=\?\) for .*where "payments"."payer" = \? order by "payments"."created_at_ms" desc limit \?/s.test(
      plan,
    )
  expect(ofLongLists.filter((plan) => !isBounded(plan))).toEqual([])
  // The index of reservations holds nothing else; what a bounded list yields is read through.
  const boundedScan = /^SCAN (?:charges USING INDEX charges_reserved|latest|counted) /
  const scans = plans.filter((plan) => plan.startsWith('SCAN') && !boundedScan.test(plan))
  expect(scans).toEqual([])
  const authorizations = plans.filter((plan) => plan.includes('USING INDEX payments_by_authorization'))
  for (const plan of authorizations) expect(plan).toContain('AND nonce=?)')
  sqlite.close()
})

test('no more of a payment is spent than it holds, and what is given back can be spent again', async () => {
  const sqlite = openSqlite(':memory:')
  migrate(sqlite)
  const database = createSqliteDatabase(sqlite)
  const payments = createPaymentTable(database)
  const transfer = transferRow('once', { amountMicros: 30 })
  const add = (id: string) => database.transaction(() => payments.insertTransfer({ ...transfer, id }, []))
  expect((await add('once'))?.spentMicros).toBe(0)
  expect((await add('again'))?.id).toBe('once')
  expect(await payments.spend('once', 30)).toBe(true)
  expect(await payments.spend('once', 1)).toBe(false)
  await payments.unspend('once', 30)
  expect(await payments.spend('once', 20)).toBe(true)
  sqlite.close()
})

test('one identifier never buys twice: what has settled is found before what a dead process left reserved', async () => {
  const sqlite = openSqlite(':memory:')
  migrate(sqlite)
  const database = createSqliteDatabase(sqlite)
  const payments = createPaymentTable(database)
  async function add(id: string, createdAtMs: number) {
    const authorization = authorizationRow(id, { chainId: 1, identifier: 'order-1', createdAtMs })
    await database.transaction(() => payments.insertAuthorization(authorization))
  }
  const settled = { txHash: '0x1', blockNumber: 1, blockHash: '0x2', logIndexes: [], nowMs: 4 }
  await add('left', 1)
  await add('paid', 2)
  await add('late', 3)
  expect((await payments.byIdentifier(1, '0xc', 'order-1'))?.id).toBe('late')
  await database.transaction(() => payments.settle('paid', settled))
  expect((await payments.byIdentifier(1, '0xc', 'order-1'))?.id).toBe('paid')
  sqlite.close()
})

const directory = temporaryDirectory()

/** Two processes' stores over one database, and two keys. */
async function twoStores(name: string) {
  const path = join(directory, `${name}.sqlite`)
  const [here, there] = [await openTestStore({ path }), await openTestStore({ path })]
  for (const id of ['mine', 'other']) await here.keys.insert({ id, name: id, createdAtMs: 0 })
  /** Counts a call that was decided by this reading of the key. */
  async function reserveBy(reading: { readonly revision: number; readonly generation: number } | undefined) {
    const { revision = 0, generation = 0 } = reading ?? {}
    const expectedRevision = { keyId: 'mine', revision, generation }
    const { granted, stale } = await here.meter.reserve({ bucket: 'key:mine', limit: 10, expectedRevision })
    return { granted, stale }
  }
  async function close() {
    await here.close()
    await there.close()
  }
  return { here, there, reserveBy, close }
}

const granted = { granted: true, stale: false }
const stale = { granted: false, stale: true }

test('a key that another process changed since it was read counts nothing', async () => {
  const { here, there, reserveBy, close } = await twoStores('changed')
  const reading = await here.keys.read('mine')
  expect(await reserveBy(reading)).toEqual(granted)
  await there.keys.update('mine', { revokedAtMs: 1 })
  expect(await reserveBy(reading)).toEqual(stale)
  expect(await reserveBy(await here.keys.read('mine'))).toEqual(granted)
  await close()
})

test('a key that has not changed goes on counting when another key is changed', async () => {
  const { here, there, reserveBy, close } = await twoStores('other')
  const reading = await here.keys.read('mine')
  await there.keys.rotate('other', 1)
  expect((await here.keys.read('mine'))?.generation).not.toBe(reading?.generation)
  expect(await reserveBy(reading)).toEqual(granted)
  await close()
})

test('a key that was changed within the same transaction as others is noticed too', async () => {
  const { here, there, reserveBy, close } = await twoStores('together')
  const reading = await here.keys.read('mine')
  await there.transaction(function* () {
    yield* there.keys.rotate('other', 1)
    yield* there.keys.update('mine', { dailyQuota: 1 })
  })
  expect(await reserveBy(reading)).toEqual(stale)
  await close()
})

test('a process that changes a key tells it after the change is stored, and one that hears of it forgets at once', async () => {
  const { here, there, close } = await twoStores('told')
  let seen: Promise<KeyRow | undefined> | undefined
  here.changes.onTell(() => {
    seen = Promise.resolve(there.keys.find('mine'))
  })
  await here.transaction(function* () {
    yield* here.keys.update('mine', { revokedAtMs: 7 })
  })
  expect((await seen)?.revokedAtMs).toBe(7)
  const before = there.changes.epoch()
  const heard = there.changes.heard()
  expect(there.changes.epoch()).toBeGreaterThan(before)
  await heard
  await close()
})

test('brands are read again as soon as another process says that it has changed one', async () => {
  const { here, there, close } = await twoStores('brands told')
  const reads: number[] = []
  there.changes.followBrands(async () => void reads.push(reads.length))
  await there.changes.check()
  await here.brands.insert({ slug: 'moon', access: 'everyone', revision: 1, createdAtMs: 1 })
  await there.changes.heard()
  expect(reads).toEqual([0, 1])
  await close()
})
