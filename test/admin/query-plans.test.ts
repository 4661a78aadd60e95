import { expect, test } from 'bun:test'
import { createKeyList } from '../../src/store/keys.ts'
import { migrate } from '../../src/store/migrations.ts'
import { createAuditTable, createSessionTable } from '../../src/store/operator.ts'
import { createPaymentList } from '../../src/store/payment-list.ts'
import { createShareTable } from '../../src/store/shares.ts'
import { createSqliteDatabase } from '../../src/store/sqlite/sqlite-database.ts'
import { openSqlite, type Sqlite } from '../../src/store/sqlite.ts'
import { createDeduplicationTable, createTrafficTable, createUsageTable } from '../../src/store/usage.ts'
import { prepareAll } from '../store/prepare-all.ts'

/** Every statement that the operator's pages run, as the tables prepare them. */
function statements(sqlite: Sqlite): readonly string[] {
  const seen: string[] = []
  const recording: Sqlite = {
    ...sqlite,
    prepare(sql) {
      seen.push(sql)
      return sqlite.prepare(sql)
    },
  }
  const database = createSqliteDatabase(recording)
  const creates = [
    createKeyList,
    createPaymentList,
    createAuditTable,
    createDeduplicationTable,
    createUsageTable,
    createTrafficTable,
    createSessionTable,
    createShareTable,
  ]
  for (const create of creates) prepareAll(database, create)
  return seen.filter((sql) => /^\s*(select|with)/.test(sql))
}

/** Tables of which little is read: a few rows a login, a few dozen rows a day, a few hundred rows a key and day. */
const small = /traffic_days|sessions|\bdays\b|share_days|shared_cards/

test('no list reads or sorts a whole table', () => {
  const sqlite = openSqlite(':memory:')
  migrate(sqlite)
  const all = statements(sqlite)
  expect(all.length).toBeGreaterThan(15)
  for (const sql of all) {
    const plan = sqlite
      .prepare<{ detail: string }>(`explain query plan ${sql}`)
      .all()
      .map(({ detail }) => detail)
    const scans = plan.filter((step) => step.startsWith('SCAN') && !isBounded(step, sql))
    const sorts = plan.filter((step) => step === 'USE TEMP B-TREE FOR ORDER BY')
    if (!small.test(sql)) expect({ sql, scans, sorts }).toEqual({ sql, scans: [], sorts: [] })
  }
  sqlite.close()
})

/** A walk along an index that a LIMIT ends, a look-up in the text index, or a part of the statement itself. */
function isBounded(step: string, sql: string): boolean {
  if (/USING (COVERING )?INDEX/.test(step)) return /limit \?/.test(sql)
  return /VIRTUAL TABLE INDEX \d+:|^SCAN (\(|CONSTANT|days\b|found\b|counted\b)/.test(step)
}
