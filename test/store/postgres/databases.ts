import { setTimeout as sleep } from 'node:timers/promises'
import { MeterUnavailable, type QuotaReservation } from '../../../src/store/meter.ts'
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

/** The reservation; undefined if the database could not count it. */
export async function settled(call: Promise<QuotaReservation>): Promise<QuotaReservation | undefined> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof MeterUnavailable)) throw error
    return undefined
  }
}

/** Resolves when the server counts calls again. */
export async function recovered(server: PostgresStore): Promise<void> {
  while ((await settled(server.meter.reserve({ bucket: 'probe', limit: null }))) === undefined)
    await sleep(20)
}
