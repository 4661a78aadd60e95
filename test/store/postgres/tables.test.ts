import { describe, expect, test } from 'bun:test'
import { createGenerationQuery } from '../../../src/store/change-watch.ts'
import type { Database } from '../../../src/store/database.ts'
import { openStore, type Store } from '../../../src/store/open.ts'
import type { PostgresStore } from '../../../src/store/postgres/open-postgres.ts'
import { postgresBuilders, postgresTexts } from '../../../src/store/postgres/postgres-database.ts'
import { createTables } from '../../../src/store/tables.ts'
import { hasPostgres, startPostgres } from '../../support/postgres.ts'
import { started } from '../../support/started.ts'
import { authorizationRow, chargeRow, transferRow } from '../payment-rows.ts'
import { expectTransitions, prepareAll } from '../prepare-all.ts'
import { openServer, openSession } from './databases.ts'

describe.skipIf(!hasPostgres)('the tables over PostgreSQL', () => {
  const postgres = started(startPostgres)
  const server = started(() => openServer(postgres.makeDatabase('tables')))

  test('have statements that PostgreSQL understands, every one', async () => {
    const statements: string[] = []
    const database: Database = {
      builders: postgresBuilders,
      prepare: (sql) => void statements.push(sql),
      execute: () => Promise.reject(new Error('not executed')),
      transaction: () => Promise.reject(new Error('not executed')),
      texts: postgresTexts('shard'),
    }
    prepareAll(database, createTables)
    prepareAll(database, createGenerationQuery)
    expect(statements.length).toBeGreaterThan(90)
    expectTransitions(statements)
    const session = await openSession(postgres.url('tables'))
    for (const [index, sql] of statements.entries()) {
      const mistake = await session
        .query(`prepare statement_${index} as ${sql}`)
        .then(() => undefined, String)
      expect({ sql, mistake }).toEqual({ sql, mistake: undefined })
    }
    session.destroy('the test is over')
  })

  test('answer as they do over SQLite', async () => {
    const local = openStore({ path: ':memory:' })
    expect(await useTables(server)).toEqual(await useTables(local))
    await local.close()
  })
})

/** Calls every kind of statement, and returns what each answered. */
async function useTables(store: Pick<Store, keyof PostgresStore & keyof Store>): Promise<readonly unknown[]> {
  const answers: unknown[] = []
  async function note(...asked: readonly PromiseLike<unknown>[]) {
    for (const each of asked) answers.push(JSON.parse(JSON.stringify((await each) ?? null)))
  }
  await useKeys(store, note)
  await useSessions(store, note)
  await useBrands(store, note)
  await useShares(store, note)
  await usePayments(store, note)
  await useCharges(store, note)
  await useSettlements(store, note)
  return answers
}

/** Statements run when they are awaited, one after the other. */
type Note = (...asked: readonly PromiseLike<unknown>[]) => Promise<void>
type Tables = Pick<Store, keyof PostgresStore & keyof Store>

async function useKeys({ keys, keyList, keyValues, usage, traffic, meter, transaction }: Tables, note: Note) {
  await note(keyValues.setOnce('a', '1'), keyValues.setOnce('a', '2'), keyValues.set('a', '3'))
  await note(keyValues.removeIf('a', '2'), keyValues.get('a'))
  for (let number = 0; number < 12; number += 1) {
    const key = { id: `mk_${number}`, name: `Site ${number % 5}`, createdAtMs: number % 4 }
    await note(keys.insert({ ...key, dailyQuota: number || null }))
    await note(usage.set(7, `key:mk_${number}`, number % 6))
  }
  await note(keys.update('mk_3', { revokedAtMs: 5 }), keys.update('mk_none', { revokedAtMs: 5 }))
  await note(keys.rotate('mk_4', 99), keys.issued())
  for (const status of ['any', 'active', 'revoked'] as const) {
    await note(keyList.newest(status, 5), keyList.newest(status, 5, 'mk_2'))
  }
  await note(keyList.search('ite 3', 10), keyList.search('MK_1', 10), keyList.mostUsed(7, 4))
  await note(keyList.mostUsed(7, 20, { used: 3, id: 'mk_9' }), keyList.revokedCount(10))
  for (const [id, expiresAtMs] of Object.entries({ mk_3: 8, mk_5: 8, mk_6: 8, mk_7: 12, mk_8: 30 }))
    await note(keys.update(id, { expiresAtMs }))
  for (const order of ['first', 'firstKnown', 'last'] as const) {
    await note(keyList.ending(order, { afterMs: 7, upToMs: 12 }, 2))
    await note(keyList.ending(order, { afterMs: 7, upToMs: 12 }, 2, 'mk_6'))
  }
  await note(keyList.endingCount({ afterMs: 7, upToMs: 12 }, 10), usage.history('key:mk_5', 5, 9))
  await note(usage.removeByPrefix(7, 'key:mk_1', 2), usage.prune(8, 3))
  for (const dedupKey of ['url', 'url', 'other'])
    await note(meter.reserve({ bucket: 'ip:a', limit: 9, dedupKey }).then(({ counted }) => counted))
  await note(usage.pruneDedupKeys(99_999, 10))
  const kind = { endpoint: 'og', auth: 'free', status: '2xx' }
  for (const day of [3, 4, 9]) await note(traffic.add(day, kind, day))
  await note(traffic.add(9, kind, 5))
  await note(transaction(() => traffic.fold(5)))
  await note(traffic.between(0, 20), traffic.totals(), traffic.totals(9))
}

async function useSessions(tables: Tables, note: Note) {
  const { sessions, loginAttempts, loginOrigins, audit, transaction } = tables
  const session = { createdAtMs: 1, confirmedAtMs: 1, address: '::1', userAgent: 'é' }
  for (const id of ['a', 'b', 'c'])
    await note(sessions.add({ ...session, id, lastSeenAtMs: id.charCodeAt(0) }))
  await note(sessions.touch('a', 1_000), sessions.confirm('b', 7), sessions.all(), sessions.remove('c'))
  await note(sessions.remove('c'), sessions.prune(99, 0), sessions.find('a'), loginAttempts.add('x', 5))
  await note(loginAttempts.add('x', 6), loginAttempts.add('y', 7), loginAttempts.newest('x', 1))
  await note(loginAttempts.newest(undefined, 5), loginAttempts.remove(2), loginAttempts.keepBetween(6, 9))
  await note(loginAttempts.newest(undefined, 5))
  for (let n = 0; n < 4; n += 1) await note(transaction(() => loginOrigins.add('address', `a${n}`, n, 3)))
  await note(loginOrigins.has('address', 'a0'), loginOrigins.has('address', 'a3'), loginOrigins.prune(3))
  await note(loginOrigins.has('address', 'a2'))
  for (const subject of ['k', 'l', 'k'])
    await note(audit.add({ atMs: 1, actor: 'o', address: '', action: 'x', subject, detail: '' }))
  await note(audit.page(3, 5))
  await note(audit.about('k', 5))
}

async function useBrands({ brands, brandDays, transaction }: Tables, note: Note) {
  const file = { sha256: 'ab', mediaType: 'image/png', facts: '{}', bytes: new Uint8Array([0, 1, 255]) }
  const upload = { uploadName: 'é.png', uploadBytes: 3 }
  await note(
    transaction(function* () {
      const slug = 'acme'
      yield* brands.insert({ slug, revision: 1, access: 'everyone', archivedAtMs: null, createdAtMs: 1 })
      for (const revision of [1, 2, 3]) {
        const row = { slug, revision, name: `Acme ${revision}`, look: '{}', createdAtMs: revision }
        yield* brands.insertRevision({ ...row, digest: `d${revision}` })
      }
      const added = [yield* brands.addFile(file), yield* brands.addFile(file)]
      yield* brands.insertFileOf({ slug: 'acme', revision: 2, field: 'logo', sha256: 'ab', ...upload })
      yield* brands.raise(3, 'keys', 'acme')
      yield* brands.setKey('mk_1', ['acme'])
      yield* brands.setKey('mk_2', ['acme'])
      yield* brands.setKey('mk_1', [])
      return added
    }),
  )
  await note(brands.setArchived(9, 'acme'), brands.setArchived(9, 'nobody'), brands.all())
  await note(brands.find('acme'), brands.find('nobody'), brands.revision('acme', 2))
  await note(brands.revisions('acme', 3, 5), brands.digests('acme', 1), brands.filesOf('acme', 2))
  await note(
    brands.file('ab').as((found) => [...(found?.bytes ?? [])]),
    brands.keys(),
  )
  for (const caller of ['demo', 'payment', 'mk_1', 'mk_2', 'mk_2'])
    for (const day of [5, 6, 7]) await note(brandDays.add(day, 'acme', caller, day))
  await note(brandDays.use('acme', 6), brandDays.use('nobody', 6), brandDays.prune(6, 9))
  await note(brandDays.use('acme', 0))
}

async function useShares({ shares, transaction }: Tables, note: Note) {
  const words = { asset: 'og', title: 'Hello', url: 'example.com', query: 'title=Hello' }
  const row = { keyId: 'mk_1', network: 'x', count: 2, ...words }
  for (const day of [5, 6, 7])
    for (const address of ['a', 'b', 'c'])
      await note(transaction(() => shares.add([{ ...row, day, address }], 298)))
  await note(transaction(() => shares.add([{ ...row, keyId: 'mk_2', day: 7, address: 'b', count: 9 }], 298)))
  await note(shares.newest('mk_1', 6, 5), shares.cards('mk_1', 6, 5), shares.card('mk_1', 'a'))
  await note(shares.card('mk_1', 'c'), shares.days('mk_1', 5, 6), shares.days('', 5, 9), shares.keys(6, 5))
  await note(shares.pruneCards(6, 9), shares.pruneDays(6, 9), shares.newest('mk_1', 0, 50))
  await note(shares.days('', 0, 9))
}

async function usePayments({ payments, transaction }: Tables, note: Note) {
  const amountMicros = 10_000_000_000
  for (let n = 0; n < 6; n += 1) {
    const row = { amountMicros, createdAtMs: 86_400_000 * (n % 3) + n }
    const authorization = authorizationRow(`p${n}`, { ...row, nonce: `0x${n}`, identifier: `i${n}` })
    const transfer = transferRow(`p${n}`, { ...row, txHash: `0xf${n}` })
    if (n % 2 === 0) await note(transaction(() => payments.insertAuthorization(authorization)))
    else await note(transaction(() => payments.insertTransfer(transfer, [n])))
  }
  const again = transferRow('p9', { amountMicros, txHash: '0xf1' })
  await note(transaction(() => payments.insertTransfer(again, [1])))
  await note(transaction(() => payments.insertTransfer({ ...again, txHash: '0xf7' }, [1])))
  const changes = { txHash: '0xaa', settler: '0xs', settlerNonce: 3 }
  await note(payments.transition('p0', { from: ['reserved'], to: 'submitted', changes, nowMs: 9 }))
  await note(payments.transition('p0', { from: ['submitted'], to: 'failed', ifTxHash: '0xbb', nowMs: 9 }))
  await note(payments.openSettlerNonces(84532, '0xs', 'p2'))
  await note(payments.outstandingMicros({ chainId: 84532, asset: '0xa', payer: '0xc' }, 'p2'))
  const money = { txHash: '0xaa', blockNumber: 7, blockHash: '0x7', logIndexes: [0, 2], nowMs: 11 }
  await note(transaction(() => payments.settle('p0', money)))
  await note(transaction(() => payments.settle('p2', money)))
  await note(payments.spend('p1', 9_999_999_999), payments.spend('p1', 2), payments.unspend('p1', 5))
  await note(payments.byIdentifier(84532, '0xc', 'i4'), payments.byTransaction(84532, '0xf1'))
  await note(payments.open(), payments.transition('p3', { from: ['settled'], to: 'reorged', nowMs: 9 }))
}

async function useCharges({ charges, paymentList }: Tables, note: Note) {
  const charge = chargeRow('c1', 'p1', { amountMicros: 5 })
  await note(charges.insert(charge))
  await note(
    Promise.resolve(charges.insert({ ...charge, id: 'c2' })).then(
      () => 'stored',
      () => 'refused',
    ),
  )
  await note(charges.reserved(), charges.hasAny('p1'))
  await note(charges.finish('c1', { head: '{}', body: new Uint8Array([1, 2]) }, 8))
  await note(charges.finish('c1', { head: '{}', body: new Uint8Array() }, 8), charges.release('c1'))
  await note(charges.bySlot('s').as((row) => ({ ...row, responseBody: [...(row?.responseBody ?? [])] })))
  await note(charges.byPayment('p1'), charges.forgetAnswers(9, 5))
  for (const which of ['any', 'settled', 'unclaimed', 'reorged'] as const) {
    await note(paymentList.newest(which, 3), paymentList.newest(which, 3, 'p1'))
  }
  await note(paymentList.ofPayer('0xc', 2, 'p4'), paymentList.byHash('0xaa', 3))
  await note(paymentList.purchases('p1', 3), paymentList.days(0, 9))
}

async function useSettlements({ settlements, transaction }: Tables, note: Note) {
  const costs = { gasUsed: 7, gasPriceWei: 2 ** 50, feeGwei: 9, createdAtMs: 1_000 }
  const settlement = { paymentId: 'p0', payer: '0xc', ...costs }
  for (const isSettled of [true, true, false])
    await note(transaction(() => settlements.add({ ...settlement, txHash: `0x${isSettled}`, isSettled })))
  await note(settlements.failuresOf('0xc', 0, 5), settlements.failures(0, 5))
  await note(settlements.settledOf('0xc', 0, 5), settlements.openOf(84532, '0xc', 5))
  await note(settlements.ofPayment('p0'), settlements.ofPayment('none'), settlements.days(0, 5))
}
