import type { Connection } from '../../../src/store/postgres/connection.ts'
import { openConnection } from '../../../src/store/postgres/connection.ts'
import { parseConnectionUrl } from '../../../src/store/postgres/connection-target.ts'
import { openPostgres, type PostgresStore } from '../../../src/store/postgres/open-postgres.ts'

interface Options {
  readonly clock?: { now(): number }
  readonly hasMasterKey?: boolean
  readonly leaseMs?: number
}

/** Opens the store of a database as one server of several does. */
export function openServer(
  url: string,
  { clock = Date, hasMasterKey = true, ...more }: Options = {},
): Promise<PostgresStore> {
  return openPostgres({ url, clock, hasMasterKey, readFile: () => '', ...more })
}

/** A plain connection to the database, to look at what was stored. */
export async function openSession(url: string): Promise<Connection> {
  const target = parseConnectionUrl(url, () => '')
  const { connection } = await openConnection(target, { timeoutMs: 10_000 })
  return connection
}

/** The database's URL with another port, such as that of a proxy. */
export function throughPort(url: string, port: number): string {
  return url.replace(/:\d+\//, `:${port}/`)
}

export async function closeAll(stores: readonly PostgresStore[]): Promise<void> {
  await Promise.all(stores.map((store) => store.close()))
}
