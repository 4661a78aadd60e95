import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getTableConfig } from 'drizzle-orm/sqlite-core'
import { migrate, migrations } from '../../src/store/migrations.ts'
import { openStore } from '../../src/store/open.ts'
import * as schema from '../../src/store/schema.ts'
import { openSqlite } from '../../src/store/sqlite.ts'
import { expectOlderPaymentKept, insertOlderPayment } from './older-payment.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const migrationsDirectory = join(import.meta.dir, '../../drizzle')

/** The migration that made the table of payments. */
const firstWithPayments = 2

describe('migrations', () => {
  test('bring a database of every older version up to date, and keep its payments as they were recorded', async () => {
    for (let version = firstWithPayments; version < migrations.length; version += 1) {
      const path = join(temporaryDirectory(), 'older.sqlite')
      const older = openSqlite(path)
      for (const migration of migrations.slice(0, version)) older.exec(migration)
      older.exec(`pragma user_version = ${version}`)
      older.exec(insertOlderPayment)
      older.close()
      const store = await openStore({ path })
      await expectOlderPaymentKept(store)
      await store.close()
    }
  })

  test('in the program are those in the directory, in its order', () => {
    const files = readdirSync(migrationsDirectory)
      .filter((name) => name.endsWith('.sql'))
      .sort()
    expect(migrations).toEqual(files.map((name) => readFileSync(join(migrationsDirectory, name), 'utf8')))
  })

  test('make the tables of the schema, column by column', () => {
    const sqlite = openSqlite(':memory:')
    migrate(sqlite)
    for (const table of Object.values(schema)) {
      const { name, columns, indexes } = getTableConfig(table)
      const made = sqlite
        .prepare<Column>(`select name, lower(type) as type, "notnull" from pragma_table_info('${name}')`)
        .all()
      const told = columns.map((column) => ({
        name: column.name,
        type: column.getSQLType(),
        notnull: Number(column.notNull),
      }))
      expect({ name, columns: made.map((column) => ({ ...column })) }).toEqual({ name, columns: told })
      const indexNames = sqlite
        .prepare<{ name: string }>(`select name from pragma_index_list('${name}') where origin = 'c'`)
        .all()
        .map((row) => row.name)
      expect(indexNames.sort()).toEqual(indexes.map((index) => index.config.name).sort())
    }
    sqlite.close()
  })
})

interface Column {
  readonly name: string
  readonly type: string
  readonly notnull: number
}
