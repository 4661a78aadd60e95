import { beforeAll, describe, expect, test } from 'bun:test'
import type { Connection } from '../../../src/store/postgres/connection.ts'
import { textStatement } from '../../../src/store/postgres/connection.ts'
import { hasPgbouncer, startPgbouncer } from '../../support/pgbouncer.ts'
import { hasPostgres, startPostgres } from '../../support/postgres.ts'
import { started } from '../../support/started.ts'
import { openSession, throughPort } from './databases.ts'

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
