import { beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Connection, textStatement } from '../../../src/store/postgres/connection.ts'
import { postgresSchemaVersion, versionTable } from '../../../src/store/postgres/migrations.ts'
import { checkStart } from '../../../src/store/postgres/start-checks.ts'
import { freePort } from '../../support/free-port.ts'
import { hasPgbouncer, startPgbouncer } from '../../support/pgbouncer.ts'
import { hasPostgres, startPostgres, testPassword } from '../../support/postgres.ts'
import { started } from '../../support/started.ts'
import { expectOlderPaymentKept, insertOlderPayment } from '../older-payment.ts'
import { run } from '../runtimes.ts'
import { closeAll, openServer, openSession, throughPort } from './databases.ts'

describe.skipIf(!hasPostgres)('the start over PostgreSQL', () => {
  const postgres = started(startPostgres)

  /** The message that a start fails with. It must name a setting and must not have the password in it. */
  async function problem(url: string, options: Parameters<typeof openServer>[1] = {}): Promise<string> {
    const message = await openServer(url, options).then(
      () => 'it started',
      (error) => `${error}`,
    )
    expect(message).toMatch(/DATABASE_URL|MASTER_KEY/)
    for (const secret of [testPassword, encodeURIComponent(testPassword)])
      expect(message).not.toContain(secret)
    return message
  }

  test('makes the tables once, whoever of several servers is first', async () => {
    const url = postgres.makeDatabase('together')
    await closeAll(await Promise.all(Array.from({ length: 6 }, () => openServer(url))))
    await closeAll([await openServer(url)])
    expect(Number(postgres.run('select version from mintmark_schema', 'together'))).toBeGreaterThan(0)
  })

  test.each(['bun', 'deno'] as const)('and the counting work on %s', async (runtime) => {
    const url = postgres.makeDatabase(`on_${runtime}`)
    expect((await run(runtime, 'test/store/postgres/children/reserve.ts', url)).trim()).toBe('5')
  })

  test('says what is wrong with the way to the database', async () => {
    const url = postgres.makeDatabase('way')
    expect(await problem(url.replace(/%3Aword/, '%3Aother'))).toContain('Look at user and password')
    expect(await problem(postgres.url('missing'))).toContain('create database')
    expect(await problem(throughPort(url, await freePort()))).toContain('Look whether the server runs')
    expect(await problem(`${url}?sslmode=verify-full`)).toContain('sslmode=disable')
  })

  test('needs the master key that all servers share', async () => {
    const url = postgres.makeDatabase('without_key')
    expect(await problem(url, { hasMasterKey: false })).toContain('MASTER_KEY must be set')
  })

  test('refuses a database whose settings would lose or refuse counts', async () => {
    const url = postgres.makeDatabase('settings')
    postgres.run(`alter database settings set synchronous_commit = off`)
    postgres.run(`alter database settings set default_transaction_isolation = 'serializable'`)
    const message = await problem(url)
    expect(message).toContain('synchronous_commit is off')
    expect(message).toContain(`set it to 'read committed'`)
  })

  test('refuses a server that is read-only, and takes the one beside it that is not', async () => {
    const url = postgres.makeDatabase('readonly')
    postgres.run('alter role owner in database readonly set default_transaction_read_only = on')
    expect(await problem(url)).toContain('Name a server that takes writes')
    postgres.run('alter role owner in database readonly reset all')
    const closed = await freePort()
    const several = url.replace('127.0.0.1', `127.0.0.1:${closed},127.0.0.1`)
    await closeAll([await openServer(several)])
  })

  test('refuses a clock that is an hour off, and says which is ahead', async () => {
    const url = postgres.makeDatabase('clocks')
    for (const [offMs, word] of [
      [-3_600_000, 'ahead of'],
      [3_600_000, 'behind'],
    ] as const) {
      const message = await problem(url, { clock: { now: () => Date.now() + offMs } })
      expect(message).toMatch(/clock is (3599|360\d) seconds/)
      expect(message).toContain(word)
    }
  })

  test('writes nothing into a database of another product', async () => {
    const url = postgres.makeDatabase('foreign_product')
    postgres.run('create table keys (id int)', 'foreign_product')
    expect(await problem(url)).toContain('tables of another product, such as keys')
    expect(
      postgres.run('select count(*) from pg_tables where schemaname = current_schema()', 'foreign_product'),
    ).toBe('1')
  })

  test('refuses a schema that is newer than the program, or that has lost tables', async () => {
    const url = postgres.makeDatabase('schema')
    await closeAll([await openServer(url)])
    postgres.run('drop table seen_days', 'schema')
    expect(await problem(url)).toContain('it lacks seen_days')
    postgres.run('update mintmark_schema set version = version + 1', 'schema')
    expect(await problem(url)).toContain('newer version of Mintmark')
  })

  test('leaves a database empty when a migration fails half-way', async () => {
    const url = postgres.makeDatabase('half')
    const session = await openSession(url)
    await session.query('create type audit_entries as enum ()')
    expect(await openServer(url).then(() => '', String)).toContain('audit_entries')
    expect(postgres.run('select count(*) from pg_tables where schemaname = current_schema()', 'half')).toBe(
      '0',
    )
    session.destroy('the test is over')
  })
})

test('a server older than 15 and an encoding that cannot keep every text are refused', async () => {
  const rows = [
    {
      version: 140_012,
      versionName: '14.12',
      isolation: 'read committed',
      synchronousCommit: 'on',
      encoding: 'SQL_ASCII',
      schema: 'public',
      mayCreate: true,
      nowMs: Date.now(),
    },
  ]
  const connection = { query: async () => rows } as unknown as Connection
  const message = await checkStart(connection, Date, true).then(() => '', String)
  expect(message).toContain('PostgreSQL 14.12 is too old')
  expect(message).toContain(`encoding 'UTF8'`)
})

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

const doubled = textStatement('doubled', 'select ($1::integer * 2)::text')

describe.skipIf(!hasPostgres)('a statement that is sent often', () => {
  let url: string
  const postgres = started(startPostgres)
  beforeAll(async () => {
    url = postgres.makeDatabase('kept')
  })

  test('is kept by the session, and answered also where the session has lost it', async () => {
    const connection = await openSession(url)
    await connection.keepStatements()
    expect(await askTwice(connection)).toEqual(['2', '4'])
    expect(await keptCount(connection)).toBe(1)
    await connection.query('deallocate all')
    expect(await askTwice(connection)).toEqual(['2', '4'])
    connection.destroy('the test is over')
  })

  test.skipIf(!hasPgbouncer)(
    'is not kept behind a pooler, which may pass it to another session',
    async () => {
      const pgbouncer = await startPgbouncer(postgres.port)
      const connection = await openSession(throughPort(url, pgbouncer.port))
      await connection.keepStatements()
      expect(await askTwice(connection)).toEqual(['2', '4'])
      expect(await keptCount(connection)).toBe(0)
      connection.destroy('the test is over')
      await pgbouncer.close()
    },
  )
})

function askTwice(connection: Connection) {
  return Promise.all([connection.ask(doubled, [1]), connection.ask(doubled, [2])])
}

async function keptCount(connection: Connection): Promise<number | undefined> {
  const [row] = await connection.query<{ readonly count: number }>(
    `select count(*) as count from pg_prepared_statements where name = 'doubled'`,
  )
  return row?.count
}
