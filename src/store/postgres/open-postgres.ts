import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { type Clock, dayMs, systemClock, utcDay } from '../../lib/clock.ts'
import { createChangeWatch } from '../change-watch.ts'
import type { Database } from '../database.ts'
import { createDeferredWrites } from '../deferred-writes.ts'
import { firstStart, noteFirstStart } from '../key-values.ts'
import type { Store } from '../open.ts'
import { anyNumber, queriesOf } from '../query.ts'
import { failedCheck, type StoreCheck, sharedProbe, versionCheck } from '../store-health.ts'
import { createTables, type ReadTables } from '../tables.ts'
import type { Connection } from './connection.ts'
import { createConnectionPool, createDatabaseLink, type DatabaseLink } from './connection-pool.ts'
import { parseConnectionUrl } from './connection-target.ts'
import { migratePostgres, postgresSchemaVersion, refuseOtherVersion, versionTable } from './migrations.ts'
import { createPostgresDatabase, postgresTexts } from './postgres-database.ts'
import { createPostgresPeers } from './postgres-peers.ts'
import { createQuotaWriter } from './quota-writer.ts'
import { checkStart, openAtStart, startProblem } from './start-checks.ts'

export interface PostgresStore extends Store {
  isAway(): boolean
}

interface PostgresOptions {
  readonly url: string
  readonly clock: Clock
  readonly hasMasterKey: boolean
  readonly readFile: (path: string) => string
  readonly onAway?: (problem: unknown) => void
  readonly leaseMs?: number
  readonly onError?: (error: unknown) => void
}

const startTimeoutMs = 5_000
const lastWritesMs = 2_000

/** Opens the database and brings its tables up to date. Rejects with an error that names the setting and a remedy. */
export async function openPostgres(options: PostgresOptions): Promise<PostgresStore> {
  const { url, clock, hasMasterKey, readFile, onAway = () => {}, leaseMs, onError } = options
  const target = parseConnectionUrl(url, readFile)
  const first = await openAtStart(target, startTimeoutMs)
  try {
    await checkStart(first, clock, hasMasterKey)
    await migratePostgres(first, target.name)
  } finally {
    first.destroy('the start is over')
  }
  const writer = createQuotaWriter(clock)
  const isKnown = Promise.withResolvers<void>()
  const pool = createConnectionPool(target, () => link)
  const link = createDatabaseLink({
    target,
    prepare: writer.prepare,
    onOpen(connection) {
      writer.open(connection)
      isKnown.resolve()
    },
    onAway(problem) {
      writer.away(problem)
      pool.abandon()
      onAway(problem)
      isKnown.resolve()
    },
  })
  await isKnown.promise
  const texts = postgresTexts(randomBytes(8).toString('hex'))
  const database = createPostgresDatabase(target, pool, clock, texts)
  const { number, write } = queriesOf(database)
  await write(firstStart, noteFirstStart)({ now: String(clock.now()) })
  const changes = createChangeWatch(database)
  await changes.check()
  const transaction = changes.watched(database.transaction)
  const deferred = createDeferredWrites(transaction, onError)
  const health = createPostgresHealth(database, link)
  const peers = createPostgresPeers(database, link.connection, leaseMs)
  await peers.join()
  const bytes = number([], (_, { raw }) => raw(sql`select pg_database_size(current_database()) as number`))
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
    size: async () => ({ databaseBytes: await bytes() }),
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

/** The tables of a database server over one connection, to be read. Rejects with an error for the operator. */
export async function readPostgres(url: string, readFile: (path: string) => string): Promise<ReadTables> {
  const target = parseConnectionUrl(url, readFile)
  const connection = await openAtStart(target, startTimeoutMs)
  try {
    await refuseOtherVersion(connection, target.name)
  } catch (error) {
    connection.destroy('it is of another version')
    throw startProblem(error, target.name)
  }
  const pool = { use: <T>(work: (only: Connection) => Promise<T>) => work(connection) }
  const texts = postgresTexts('reader')
  const tables = createTables(createPostgresDatabase(target, pool, systemClock, texts))
  return { tables, close: () => connection.destroy('all is read') }
}

const rowsAtOnce = 1_000

/** Removes what servers leave behind in the database: marks of commits, leases of processes that ended, shards of counts. */
function createHousekeeping(database: Database, clock: Clock) {
  const { run, write } = queriesOf(database)
  const forgetCommits = run([anyNumber, anyNumber], ([beforeMs, limit], { raw }) =>
    raw(sql`delete from commits where id in
      (select id from commits where at_ms < ${beforeMs} order by at_ms limit ${limit})`),
  )
  const forgetLeases = write([anyNumber], ([beforeMs], { raw }) =>
    raw(sql`delete from leases where until_ms < ${beforeMs}`),
  )
  // One statement, so that a count that comes meanwhile is in what is removed or stays where it is.
  const mergeShards = write([anyNumber], ([today], { raw }) =>
    raw(sql`with moved as (delete from traffic_days where shard <> '' and day < ${today} returning *)
      insert into traffic_days as known (day, endpoint, auth, status, shard, count)
      select day, endpoint, auth, status, '', sum(count) from moved group by day, endpoint, auth, status
      on conflict (day, endpoint, auth, status, shard) do update set count = known.count + excluded.count`),
  )
  return async (): Promise<void> => {
    const nowMs = clock.now()
    // A day is longer than anybody looks for what became of a commit.
    while ((await forgetCommits(nowMs - dayMs, rowsAtOnce)) === rowsAtOnce);
    await forgetLeases(nowMs - dayMs)
    await mergeShards(utcDay(nowMs))
  }
}

/** A restart or a change of the primary is shorter, and meanwhile much is answered without the database. */
const absenceMsMax = 5_000

function createPostgresHealth(database: Database, link: DatabaseLink) {
  const findVersion = queriesOf(database).number([], (_, { raw }) =>
    raw(sql`select version as number from ${sql.raw(versionTable)}`),
  )
  // Null for users who may not see other sessions, and missing in other products that speak the protocol.
  const findStandbyLag = queriesOf(database).number([], (_, { raw }) =>
    raw(
      sql`select cast(max(extract(epoch from replay_lag)) * 1000 as bigint) as number from pg_stat_replication`,
    ),
  )
  let failingSinceMs: number | undefined
  let isWrongVersion = false

  /** The connection that calls are counted over is watched all the time: a server that went away or read-only is known. */
  function check(): StoreCheck {
    return link.connection() === undefined ? failedCheck(link.problem()) : { ok: true }
  }

  async function probe(): Promise<StoreCheck> {
    const checked = await look()
    if (checked.ok) failingSinceMs = undefined
    else failingSinceMs ??= performance.now() - link.absentMs()
    const isAbsent = failingSinceMs !== undefined && performance.now() - failingSinceMs >= absenceMsMax
    return isAbsent || isWrongVersion ? checked : { ok: true }
  }

  async function look(): Promise<StoreCheck> {
    const checked = check()
    if (!checked.ok) return checked
    try {
      const version = versionCheck(await findVersion(), postgresSchemaVersion)
      isWrongVersion = !version.ok
      return version
    } catch (error) {
      return failedCheck(error)
    }
  }

  return {
    check,
    probe: sharedProbe(probe),
    standbyLagMs: async () => findStandbyLag().then(undefined, () => 0),
  }
}
