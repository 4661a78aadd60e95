import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { createGenerationTable } from '../../src/store/change-watch.ts'
import { migrate } from '../../src/store/migrations.ts'
import { postgresBuilders } from '../../src/store/postgres/postgres-database.ts'
import { compileQuery, queriesOf, row } from '../../src/store/query.ts'
import { auditEntries, keys, keyValues, usageDays } from '../../src/store/schema.ts'
import { createSqliteDatabase, sqliteBuilders } from '../../src/store/sqlite/sqlite-database.ts'
import { openSqlite } from '../../src/store/sqlite.ts'
import { createTables } from '../../src/store/tables.ts'
import { expectTransitions, prepareAll } from './prepare-all.ts'

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
  prepareAll(database, createGenerationTable)
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
  const count = countUpTo({}, (_, { select }) => select({ name }).from(keyValues))
  expect([await count({ max: 1 }), await count({ max: 9 })]).toEqual([1, 2])
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
