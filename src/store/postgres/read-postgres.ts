import { systemClock } from '../../lib/clock.ts'
import type { ReadTables } from '../read-tables.ts'
import { createTables } from '../tables.ts'
import { createConnectionPool } from './connection-pool.ts'
import { parseConnectionUrl } from './connection-target.ts'
import { refuseOtherVersion } from './migrations.ts'
import { createPostgresDatabase } from './postgres-database.ts'
import { postgresTexts } from './postgres-texts.ts'
import { startProblem } from './start-problem.ts'

/** The tables of a database server over one connection, to be read. Rejects with an error for the operator. */
export async function readPostgres(url: string, readFile: (path: string) => string): Promise<ReadTables> {
  const target = parseConnectionUrl(url, readFile)
  const { name } = target
  const pool = createConnectionPool({ target, connectionsMax: 1, isAway: () => false })
  try {
    await pool.use((connection) => refuseOtherVersion(connection, name))
  } catch (error) {
    pool.close()
    throw startProblem(error, name)
  }
  const texts = postgresTexts('reader')
  const tables = createTables(createPostgresDatabase({ pool, clock: systemClock, texts, name }))
  return { tables, close: pool.close }
}
