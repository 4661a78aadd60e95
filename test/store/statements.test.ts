import { expect, test } from 'bun:test'
import { migrate } from '../../src/store/migrations.ts'
import { openSqlite } from '../../src/store/sqlite.ts'
import { statementsOf } from '../../src/store/statements.ts'

const facts = [
  ['a', '1'],
  ['b', '2'],
]

test('a statement takes its own parameters only, so that it can be given to map, filter and forEach', () => {
  const sqlite = openSqlite(':memory:')
  migrate(sqlite)
  const { one, all, number, exists, run, change } = statementsOf(sqlite)
  const set = run<[name: string, value: string]>('insert into facts (value, name) values (?2, ?1)')
  for (const [name = '', value = ''] of facts) set(name, value)
  const names = ['a', 'b', 'c']
  expect(names.map(one<[string], { value: string }>('select value from facts where name = ?'))).toMatchObject(
    [{ value: '1' }, { value: '2' }, undefined],
  )
  expect(
    names.map(all<[string], unknown>('select 1 from facts where name > ?')).map(({ length }) => length),
  ).toEqual([1, 0, 0])
  expect(
    names.map(number<[string]>('select value as number from facts where name = ?1')).map(Number),
  ).toEqual([1, 2, 0])
  expect(names.filter(exists<[string]>('select 1 from facts where name = ?'))).toEqual(['a', 'b'])
  expect(names.map(change<[string]>('delete from facts where name = ?'))).toEqual([true, true, false])
  sqlite.close()
})
