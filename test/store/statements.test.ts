import { expect, test } from 'bun:test'
import { migrate } from '../../src/store/migrations.ts'
import { createSqliteDatabase } from '../../src/store/sqlite/sqlite-database.ts'
import { openSqlite } from '../../src/store/sqlite.ts'
import { statementsOf } from '../../src/store/statements.ts'

const facts = [
  ['a', '1'],
  ['b', '2'],
]

test('a statement takes its own parameters only, so that it can be given to map', async () => {
  const sqlite = openSqlite(':memory:')
  migrate(sqlite)
  const { one, all, number, exists, run, change } = statementsOf(createSqliteDatabase(sqlite))
  const set = run<[name: string, value: string]>('insert into facts (value, name) values (?2, ?1)')
  for (const [name = '', value = ''] of facts) await set(name, value)
  const names = ['a', 'b', 'c']
  const values = names.map(one<[string], { value: string }>('select value from facts where name = ?'))
  expect(await Promise.all(values)).toMatchObject([{ value: '1' }, { value: '2' }, undefined])
  const later = names.map(all<[string], unknown>('select 1 from facts where name > ?'))
  expect((await Promise.all(later)).map(({ length }) => length)).toEqual([1, 0, 0])
  const numbers = names.map(number<[string]>('select value as number from facts where name = ?1'))
  expect((await Promise.all(numbers)).map(Number)).toEqual([1, 2, 0])
  const known = names.map(exists<[string]>('select 1 from facts where name = ?'))
  expect(await Promise.all(known)).toEqual([true, true, false])
  const removed = names.map(change<[string]>('delete from facts where name = ?'))
  expect(await Promise.all(removed)).toEqual([true, true, false])
  sqlite.close()
})
