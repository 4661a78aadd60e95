import { systemClock } from '../../lib/clock.ts'
import type { ReadTables } from '../read-tables.ts'
import { createTables } from '../tables.ts'
import type { Connection } from './connection.ts'
import { openConnection } from './connection.ts'
import { parseConnectionUrl } from './connection-target.ts'
import { refuseOtherVersion } from './migrations.ts'
import { createPostgresDatabase } from './postgres-database.ts'
import { postgresTexts } from './postgres-dialect.ts'
import { startProblem } from './start-checks.ts'

/** The tables of a database server over one connection, to be read. Rejects with an error for the operator. */
export async function readPostgres(url: string, readFile: (path: string) => string): Promise<ReadTables> {
  const target = parseConnectionUrl(url, readFile)
  const { connection } = await openConnection(target, { timeoutMs }).catch((error) => {
    throw startProblem(error, target.name)
  })
  try {
    await refuseOtherVersion(connection, target.name)
  } catch (error) {
    connection.destroy('it is of another version')
    throw startProblem(error, target.name)
  }
  const pool = { use: <T>(work: (only: Connection) => Promise<T>) => work(connection) }
  const texts = postgresTexts('reader')
  const tables = createTables(createPostgresDatabase({ target, pool, clock: systemClock, texts }))
  return { tables, close: () => connection.destroy('all is read') }
}

const timeoutMs = 5_000
