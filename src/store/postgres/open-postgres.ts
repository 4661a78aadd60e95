import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Clock } from '../../lib/clock.ts'
import { createChangeWatch } from '../change-watch.ts'
import { createDeferredWrites } from '../deferred-writes.ts'
import { firstStart, noteFirstStart } from '../first-start.ts'
import { createGenerationTable } from '../generations.ts'
import type { Store } from '../open.ts'
import { queriesOf } from '../query.ts'
import { createTables } from '../tables.ts'
import { openConnection } from './connection.ts'
import { createConnectionPool } from './connection-pool.ts'
import { type ConnectionTarget, parseConnectionUrl } from './connection-target.ts'
import { createDatabaseLink } from './database-link.ts'
import { createHousekeeping } from './housekeeping.ts'
import { migratePostgres } from './migrations.ts'
import { createPostgresDatabase } from './postgres-database.ts'
import { postgresTexts } from './postgres-dialect.ts'
import { createPostgresHealth } from './postgres-health.ts'
import { createPostgresPeers } from './postgres-peers.ts'
import { createQuotaWriter } from './quota-writer.ts'
import { checkStart, startProblem } from './start-checks.ts'

/** A store in one PostgreSQL database that many servers may share. */
export interface PostgresStore extends Store {
  isAway(): boolean
}

interface PostgresOptions {
  /** `DATABASE_URL`. */
  readonly url: string
  readonly clock: Clock
  /** Whether MASTER_KEY is set. */
  readonly hasMasterKey: boolean
  /** Reads the root certificate that the URL names. */
  readonly readFile: (path: string) => string
  /** Called with the last error each time the database goes away. */
  readonly onAway?: (problem: unknown) => void
  /** How long this process is taken to live after its last sign of life. */
  readonly leaseMs?: number
  /** Called with the error of a deferred write that can never succeed and was given up. */
  readonly onError?: (error: unknown) => void
}

/** Beside the one of the meter. */
const connectionsMax = 8
const startTimeoutMs = 5_000
const lastWritesMs = 2_000

/** Opens the database and brings its tables up to date. Rejects with an error that names the setting and a remedy. */
export async function openPostgres({
  url,
  clock,
  hasMasterKey,
  readFile,
  onAway = () => {},
  leaseMs,
  onError,
}: PostgresOptions): Promise<PostgresStore> {
  const target = parseConnectionUrl(url, readFile)
  await prepareDatabase(target, { clock, hasMasterKey })
  const writer = createQuotaWriter(clock)
  let noteFirst = () => {}
  const first = new Promise<void>((resolve) => {
    noteFirst = resolve
  })
  const pool = createConnectionPool({
    target,
    connectionsMax,
    server: () => link.server(),
    isAway: () => link.isAway(),
  })
  const link = createDatabaseLink({
    target,
    prepare: writer.prepare,
    onOpen(connection) {
      writer.open(connection)
      noteFirst()
    },
    onAway(problem) {
      writer.away(problem)
      pool.abandon()
      onAway(problem)
      noteFirst()
    },
  })
  await first
  const texts = postgresTexts(randomBytes(8).toString('hex'))
  const database = createPostgresDatabase({ target, pool, clock, texts })
  const { number, write } = queriesOf(database)
  await write(firstStart, noteFirstStart)({ now: String(clock.now()) })
  const changes = createChangeWatch(createGenerationTable(database))
  await changes.check()
  const transaction = changes.watched(database.transaction)
  const deferred = createDeferredWrites({ transaction, onError })
  const health = createPostgresHealth(database, link)
  const peers = createPostgresPeers({ database, connection: link.connection, leaseMs })
  await peers.join()
  const bytes = number({}, (_, { raw }) => raw(sql`select pg_database_size(current_database()) as number`))
  return {
    ...createTables(database, changes.noteKeyChange),
    kind: 'postgres',
    name: target.name,
    transaction,
    meter: writer,
    deferred,
    peers,
    tidy: createHousekeeping(database, clock),
    changes,
    health,
    check: health.check,
    size: async () => ({ databaseBytes: await bytes({}) }),
    standbyLagMs: health.standbyLagMs,
    isAway: link.isAway,
    startServing: changes.start,
    async close() {
      const deadlineMs = performance.now() + lastWritesMs
      await Promise.race([deferred.flush(), sleep(lastWritesMs)])
      while (!writer.isIdle() && performance.now() < deadlineMs) await sleep(5)
      changes.stop()
      await Promise.race([peers.leave(), sleep(lastWritesMs)])
      pool.close()
      link.close()
    },
  }
}

async function prepareDatabase(
  target: ConnectionTarget,
  deps: { readonly clock: Clock; readonly hasMasterKey: boolean },
): Promise<void> {
  const { connection } = await openConnection(target, { timeoutMs: startTimeoutMs }).catch((error) => {
    throw startProblem(error, target.name)
  })
  try {
    await checkStart(connection, deps)
    await migratePostgres(connection, target.name)
  } finally {
    connection.destroy('the start is over')
  }
}
