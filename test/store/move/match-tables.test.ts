import { expect, test } from 'bun:test'
import { type CatalogColumn, matchTables } from '../../../src/store/move/move.ts'

function column(table: string, name: string, more: Partial<CatalogColumn> = {}): CatalogColumn {
  return { table, column: name, keyPosition: 0, type: 'bigint', isNumbered: false, ...more }
}

function matched(postgres: readonly CatalogColumn[], sqlite: readonly CatalogColumn[]) {
  return matchTables({ catalog: postgres }, { catalog: sqlite })
}

const id = column('keys', 'id', { keyPosition: 1, type: 'text' })

test('a number that PostgreSQL gives to rows is the row number of SQLite', () => {
  const [table] = matched([id, column('keys', 'number', { isNumbered: true })], [id])
  expect(table?.columns.map(({ name, sqliteName }) => [name, sqliteName])).toEqual([
    ['id', 'id'],
    ['number', 'rowid'],
  ])
  expect(table?.key.map(({ name }) => name)).toEqual(['id'])
})

test.each([
  ['a table of PostgreSQL alone', [id, column('brands', 'id')], [id], 'the table brands'],
  ['a table of SQLite alone', [id], [id, column('brands', 'id')], 'the table brands'],
  ['a column of PostgreSQL alone', [id, column('keys', 'site')], [id], 'the column keys.site'],
  ['a column of SQLite alone', [id], [id, column('keys', 'site')], 'the column keys.site'],
  ['a type that is not compared', [{ ...id, type: 'jsonb' }], [id], 'the column keys.id'],
])('%s stops a move before it begins, so that nothing is left out', (_, postgres, sqlite, message) => {
  expect(() => matched(postgres, sqlite)).toThrow(message)
})
