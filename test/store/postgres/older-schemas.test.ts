import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { postgresSchemaVersion, versionTable } from '../../../src/store/postgres/migrations.ts'
import { hasPostgres, startPostgres } from '../../support/postgres.ts'
import { started } from '../../support/started.ts'
import { expectOlderPaymentKept, insertOlderPayment } from '../older-payment.ts'
import { openServer, openSession } from './databases.ts'

const directory = join(import.meta.dir, '../../../src/store/postgres/sql')
const migrations = readdirSync(directory)
  .toSorted()
  .map((name) => readFileSync(join(directory, name), 'utf8'))

describe.skipIf(!hasPostgres)('over PostgreSQL', () => {
  const postgres = started(startPostgres)

  test('a database of every older version is brought up to date, and its payments stay as they were recorded', async () => {
    expect(migrations).toHaveLength(postgresSchemaVersion)
    const url = postgres.makeDatabase('older')
    const session = await openSession(url)
    for (let version = 1; version < postgresSchemaVersion; version += 1) {
      await session.query('drop schema public cascade; create schema public')
      const mark = `create table ${versionTable} as select ${version} as version`
      for (const text of [...migrations.slice(0, version), mark, insertOlderPayment])
        await session.query(text)
      const store = await openServer(url)
      await expectOlderPaymentKept(store)
      await store.close()
    }
    session.destroy('the test is over')
  })
})
