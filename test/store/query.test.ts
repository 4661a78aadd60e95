import { describe, expect, spyOn, test } from 'bun:test'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { inTurn } from '../../src/lib/cooperative-scheduler.ts'
import { createGenerationQuery } from '../../src/store/change-watch.ts'
import type { Steps } from '../../src/store/database.ts'
import { openStore } from '../../src/store/open.ts'
import { postgresBuilders } from '../../src/store/postgres/postgres-database.ts'
import { compileQuery, queriesOf, row } from '../../src/store/query.ts'
import { auditEntries, keys, keyValues, usageDays } from '../../src/store/schema.ts'
import { createSqliteDatabase, sqliteBuilders } from '../../src/store/sqlite/sqlite-database.ts'
import { migrate, openSqlite } from '../../src/store/sqlite.ts'
import { createTables } from '../../src/store/tables.ts'
import { testChecks } from '../support/check.ts'
import { runtimes } from '../support/test-size.ts'
import { checks } from './driver-checks.ts'
import { expectTransitions, prepareAll } from './prepare-all.ts'
import { run } from './runtimes.ts'
import { temporaryDirectory } from './temporary-directory.ts'

test('SQLite understands every query of the tables', () => {
  const sqlite = openSqlite(':memory:')
  migrate(sqlite)
  const texts = new Set<string>()
  const database = createSqliteDatabase({
    ...sqlite,
    prepare(text) {
      texts.add(text)
      return sqlite.prepare(text)
    },
  })
  prepareAll(database, createTables)
  prepareAll(database, createGenerationQuery)
  expect(texts.size).toBeGreaterThan(90)
  expectTransitions([...texts])
  sqlite.close()
})

test.each([
  ['SQLite', sqliteBuilders],
  ['PostgreSQL', postgresBuilders],
] as const)('a selected subquery names the tables of its columns, in the dialect of %s', (_, builders) => {
  const { sql: text } = compileQuery(
    { id: keys.id },
    (of, { select }) =>
      select({
        createdAtMs: keys.createdAtMs,
        used: sql<number>`(select max(${usageDays.used}) from ${usageDays} where ${usageDays.bucket} = ${keys.id})`,
      })
        .from(keys)
        .where(eq(keys.id, of.id)),
    builders,
  )
  expect(text).toContain('"usage_days"."bucket" = "keys"."id")')
  expect(text).toContain('"created_at_ms" as "createdAtMs"')
})

test('a query reads values by name, and each function answers what it says', async () => {
  const sqlite = openSqlite(':memory:')
  migrate(sqlite)
  const { one, all, number, exists, run, change, countUpTo } = queriesOf(createSqliteDatabase(sqlite))
  const { name, value } = keyValues
  const set = run({ value, name }, (values, { insert }) => insert(keyValues).values(values))
  expect(await set({ name: 'a', value: '1' })).toBe(1)
  expect(await set({ name: 'b', value: '2' })).toBe(1)
  const find = one({ name }, (of, { select }) => select({ value }).from(keyValues).where(eq(name, of.name)))
  expect(await find({ name: 'a' })).toEqual({ value: '1' })
  expect(await find({ name: 'c' })).toBeUndefined()
  const names = all({}, (_, { select }) => select({ name }).from(keyValues).orderBy(name))
  expect(await names({})).toEqual([{ name: 'a' }, { name: 'b' }])
  const length = number({ name }, (of, { select }) =>
    select({ number: sql`length(${value})` })
      .from(keyValues)
      .where(eq(name, of.name)),
  )
  expect([await length({ name: 'a' }), await length({ name: 'c' })]).toEqual([1, 0])
  const has = exists({ name }, (of, { select }) => select({ name }).from(keyValues).where(eq(name, of.name)))
  expect([await has({ name: 'a' }), await has({ name: 'c' })]).toEqual([true, false])
  const count = countUpTo([], (_, { select }) => select({ name }).from(keyValues))
  expect([await count(1), await count(9)]).toEqual([1, 2])
  const drop = change({ name }, (of, { remove }) => remove(keyValues).where(eq(name, of.name)))
  expect([await drop({ name: 'a' }), await drop({ name: 'a' })]).toEqual([true, false])
  sqlite.close()
})

test('an inserted row has null or the default in place of what is left out', async () => {
  const sqlite = openSqlite(':memory:')
  migrate(sqlite)
  const { insert, insertUnlessKnown, one } = queriesOf(createSqliteDatabase(sqlite))
  const findKey = one({ id: keys.id }, (of, { select }) =>
    select(row(keys)).from(keys).where(eq(keys.id, of.id)),
  )
  await insert(keys)({ id: 'a', createdAtMs: 5, dailyQuota: undefined })
  expect(await findKey({ id: 'a' })).toEqual({
    id: 'a',
    name: '',
    createdAtMs: 5,
    revision: 1,
    version: 1,
    previousUntilMs: null,
    revokedAtMs: null,
    dailyQuota: null,
    unlimitedUntilMs: null,
    expiresAtMs: null,
    hosts: '',
    siteId: null,
    look: '{}',
    assets: '',
    notes: '',
  })
  const insertOnce = insertUnlessKnown(keyValues)
  expect(await insertOnce({ name: 'a', value: '1' })).toBe(true)
  expect(await insertOnce({ name: 'a', value: '2' })).toBe(false)
  await insert(auditEntries)({ atMs: 1, actor: 'o', address: '', action: 'x', subject: 's', detail: '' })
  sqlite.close()
})

test('awaiting the steps of a transaction, which would do nothing, is a mistake that the type check finds', async () => {
  const store = openStore({ path: ':memory:' })
  function* add(): Steps<number> {
    yield* store.keyValues.set('a', '1')
    return 1
  }
  // @ts-expect-error: the check of types fails here if this were allowed
  await add()
  // @ts-expect-error: steps of a table as well
  await store.loginOrigins.add('address', '::1', 0, 1)
  expect(await store.keyValues.get('a')).toBeUndefined()
  expect(await store.loginOrigins.has('address', '::1')).toBe(false)
  expect(await store.transaction(add)).toBe(1)
  expect(await store.keyValues.get('a')).toBe('1')
  await store.close()
})

test('statements and transactions of many at once wait for a later turn when this one was long', async () => {
  const store = openStore({ path: ':memory:' })
  await store.keyValues.set('a', '1')
  await nextTurn()
  let nowMs = 0
  const clock = spyOn(performance, 'now').mockImplementation(() => nowMs)
  const done: unknown[] = []
  function* read(): Steps<string | undefined> {
    return yield* store.keyValues.get('a')
  }
  try {
    await inTurn(() => {
      nowMs += 3
    })
    const all = [
      store.keyValues.get('a').then((value) => done.push(value)),
      store.transaction(read).then((value) => done.push(value)),
    ]
    for (let step = 0; step < 20; step += 1) await undefined
    expect(done).toEqual([])
    await Promise.all(all)
    expect(done).toEqual(['1', '1'])
  } finally {
    clock.mockRestore()
    await store.close()
  }
})

const directory = temporaryDirectory()

describe('a transaction', () => {
  test.each(runtimes)('that fails leaves nothing behind on %s, even with a full disk', async (runtime) => {
    expect(JSON.parse(await run(runtime, 'test/store/children/transactions.ts'))).toEqual({
      answers: ['thrown', 'UNIQUE constraint failed: things.name', 'database or disk is full', 'stored'],
      left: [],
    })
  })

  test('that throws leaves nothing behind', async () => {
    const store = openStore({ path: join(directory, 'throws.db') })
    function* work() {
      yield* store.usage.set(1, 'demo', 1)
      throw new Error('no')
    }
    await expect(store.transaction(work)).rejects.toThrow('no')
    await expect(store.transaction(work, { durable: true })).rejects.toThrow('no')
    expect(await store.usage.used(1, 'demo')).toBe(0)
    await store.close()
  })

  test('is whole to everything else: nothing is done between its steps', async () => {
    const store = openStore({ path: join(directory, 'whole.db') })
    async function addOne() {
      await store.transaction(function* () {
        const used = yield* store.usage.used(1, 'demo')
        yield* store.usage.set(1, 'demo', used + 1)
      })
    }
    await Promise.all(Array.from({ length: 50 }, addOne))
    expect(await store.usage.used(1, 'demo')).toBe(50)
    await store.close()
  })
})

describe('the driver of SQLite does the same on each runtime', () => {
  testChecks(checks)
})
