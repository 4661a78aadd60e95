import { expect, test } from 'bun:test'
import { createChargeTable } from '../../src/store/charges.ts'
import { migrate } from '../../src/store/migrations.ts'
import { createPaymentTable } from '../../src/store/payment-table.ts'
import { createSqliteDatabase } from '../../src/store/sqlite/sqlite-database.ts'
import { openSqlite, type Sqlite } from '../../src/store/sqlite.ts'
import { prepareAll } from './prepare-all.ts'

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
  const transfer = {
    id: 'once',
    method: 'transfer' as const,
    via: 'transfer',
    chainId: 1,
    asset: '0xa',
    payTo: '0xb',
    payer: '0xc',
    txHash: '0xd',
    amountMicros: 30,
    state: 'settled' as const,
    createdAtMs: 1,
    updatedAtMs: 1,
  }
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
  async function add(nonce: string, createdAtMs: number) {
    const authorization = {
      id: nonce,
      method: 'authorization' as const,
      via: 'x402',
      chainId: 1,
      asset: '0xa',
      payTo: '0xb',
      payer: '0xc',
      nonce,
      identifier: 'order-1',
      amountMicros: 10,
      state: 'reserved' as const,
      createdAtMs,
      updatedAtMs: createdAtMs,
    }
    await database.transaction(() => payments.insertAuthorization(authorization))
  }
  const settled = {
    txHash: '0x1',
    blockNumber: 1,
    blockHash: '0x2',
    blockTimeMs: 1,
    logIndexes: [],
    nowMs: 4,
  }
  await add('left', 1)
  await add('paid', 2)
  await add('late', 3)
  expect((await payments.byIdentifier(1, '0xc', 'order-1'))?.id).toBe('late')
  await database.transaction(() => payments.settle('paid', settled))
  expect((await payments.byIdentifier(1, '0xc', 'order-1'))?.id).toBe('paid')
  sqlite.close()
})
