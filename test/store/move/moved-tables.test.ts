import { describe, expect, test } from 'bun:test'
import { DatabaseSync } from 'node:sqlite'
import { movedTables } from '../../../src/store/move/move.ts'
import { hasPostgres, startPostgres } from '../../support/postgres.ts'
import { started } from '../../support/started.ts'
import { openServer } from '../postgres/databases.ts'
import { temporaryDirectory } from '../temporary-directory.ts'
import { makeSqlite } from './stores.ts'

/** Tables that follow from others, or matter only to processes that run. */
const ofOneDatabase = /^(sqlite_.*|keys_search.*|mintmark_schema|quota_slots|generations|commits|leases)$/
/** The part of a count, of which only the sum is moved, and the order of rows, which is the row number in SQLite. */
const postgresOnly = ['traffic_days.shard', 'keys.number', 'charges.number']

function moved(name: 'name' | 'sqliteName'): readonly string[] {
  return movedTables
    .flatMap((table) => table.columns.map((column) => `${table.name}.${column[name]}`))
    .toSorted()
}

function ofCatalog(columns: readonly string[]): readonly string[] {
  return columns.filter((column) => !ofOneDatabase.test(column.split('.')[0] ?? '')).toSorted()
}

test('a move takes every column of every table of SQLite', () => {
  const path = `${temporaryDirectory()}/tables.sqlite`
  makeSqlite(path).close()
  const rows = new DatabaseSync(path)
    .prepare(
      `select tables.name || '.' || columns.name as name
       from sqlite_schema as tables join pragma_table_info(tables.name) as columns where tables.type = 'table'`,
    )
    .all()
  const rowids = moved('sqliteName').filter((name) => name.endsWith('.rowid'))
  expect(rowids).toEqual(['charges.rowid', 'keys.rowid'])
  expect<readonly string[]>(moved('sqliteName').filter((name) => !rowids.includes(name))).toEqual(
    ofCatalog(rows.map(({ name }) => String(name))),
  )
})

describe.skipIf(!hasPostgres)('a move', () => {
  const postgres = started(startPostgres)

  test('takes every column of every table of PostgreSQL, in order of the primary key', async () => {
    await (await openServer(postgres.makeDatabase('tables'))).close()
    const columns = postgres
      .run(
        `select tables.relname || '.' || attname from pg_class as tables join pg_attribute on attrelid = tables.oid
         where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped`,
        'tables',
      )
      .split('\n')
    const common = ofCatalog(columns).filter((name) => !postgresOnly.includes(name))
    expect<readonly string[]>(moved('name').filter((name) => !postgresOnly.includes(name))).toEqual(common)
    for (const { name, key } of movedTables)
      expect(
        postgres.run(
          `select pg_get_constraintdef(oid) from pg_constraint where contype = 'p' and conrelid = '${name}'::regclass`,
          'tables',
        ),
      ).toStartWith(`PRIMARY KEY (${key}`)
  })
})
