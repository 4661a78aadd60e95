import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { getTableColumns, sql } from 'drizzle-orm'
import { PgDeleteBase, PgDialect, PgInsertBuilder, PgUpdateBuilder, QueryBuilder } from 'drizzle-orm/pg-core'
import { type Clock, withinAwake } from '../../lib/clock.ts'
import type { BoundStatement, Builders, Database, DialectTexts, StatementResult, Steps } from '../database.ts'
import { fields } from '../query.ts'
import { keys } from '../schema.ts'
import { StoreError, type StoreFault } from '../store-error.ts'
import { type Connection, ConnectionLost, isConnectionFault, openConnection, sqlState } from './connection.ts'
import type { ConnectionPool } from './connection-pool.ts'
import type { ConnectionTarget } from './connection-target.ts'

type Work<T> = (connection: Connection) => Promise<{ readonly result: T; readonly hasWritten: boolean }>

/**
 * A transaction has a connection of its own, and takes its named locks before anything else: each statement after that
 * sees what the transactions before it stored. A write outside of a transaction is one by itself. After a connection
 * is lost during a commit, it is found out whether it was stored.
 */
export function createPostgresDatabase(
  target: ConnectionTarget,
  pool: Pick<ConnectionPool, 'use'>,
  clock: Clock,
  texts: DialectTexts,
): Database {
  const { name } = target
  const queues = createLockQueues()

  async function runSteps<T>(connection: Connection, steps: Steps<T>) {
    let hasWritten = false
    let step = steps.next()
    while (!step.done) {
      const { statement, read } = step.value
      let value: unknown
      try {
        hasWritten ||= !isRead(statement.sql)
        value = read(await connection.send(statement.sql, statement.values))
      } catch (error) {
        step = steps.throw(error)
        continue
      }
      step = steps.next(value)
    }
    return { result: step.value, hasWritten }
  }

  async function transact<T>(work: Work<T>, locks: readonly string[]): Promise<T> {
    const id = randomBytes(12).toString('base64url')
    const { result, loss } = await pool.use(async (connection) => {
      const done = await beforeCommit(connection, work, locks)
      // Both are sent at once: it takes one round trip.
      const problem = await Promise.all([
        done.hasWritten && connection.query(leaveMark, [id, clock.now()]),
        connection.query('commit'),
      ]).then(
        () => undefined,
        (error: unknown) => error,
      )
      if (problem !== undefined && !(problem instanceof ConnectionLost))
        throw await rolledBack(connection, problem)
      return { result: done.result, loss: done.hasWritten ? problem : undefined }
    })
    if (loss === undefined) return result
    const isStored = await wasStored(target, id, clock.now())
    if (isStored === true) return result
    throw isStored === false ? interrupted(name, loss) : unknown(name, loss)
  }

  async function beforeCommit<T>(connection: Connection, work: Work<T>, locks: readonly string[]) {
    try {
      await Promise.all([connection.query(begin), ...locks.map((lock) => connection.query(takeLock, [lock]))])
      return await work(connection)
    } catch (error) {
      throw error instanceof ConnectionLost ? interrupted(name, error) : await rolledBack(connection, error)
    }
  }

  /** Nothing changes by reading twice, so a connection that was lost meanwhile is no reason to fail. */
  async function readTwice({ sql, values }: BoundStatement): Promise<StatementResult> {
    try {
      return await pool.use(({ send }) => send(sql, values))
    } catch (error) {
      if (!(error instanceof ConnectionLost) || error.isSilent) throw error
      return await pool.use(({ send }) => send(sql, values))
    }
  }

  return {
    builders: postgresBuilders,
    prepare() {},
    execute: (statement) =>
      named(name, () => (isRead(statement.sql) ? readTwice(statement) : transact(writing(statement), []))),
    texts,
    transaction(work, { locks = [] } = {}) {
      // They are taken in one order, so that two transactions never wait for each other.
      const names = [...new Set(locks)].sort()
      return named(name, () =>
        queues(names, () => transact((connection) => runSteps(connection, work()[Symbol.iterator]()), names)),
      )
    },
  }
}

function writing({ sql, values }: BoundStatement): Work<StatementResult> {
  return async ({ send }) => ({ result: await send(sql, values), hasWritten: true })
}

function isRead(sql: string): boolean {
  return /^\s*(?:select|with recursive)\b/.test(sql)
}

const lockPatienceMs = 3_000
/** Works with a pooler in transaction mode too, which keeps no settings between transactions. */
const begin = `begin isolation level read committed; set local lock_timeout = ${lockPatienceMs}; set local idle_in_transaction_session_timeout = '5s'`
const takeLock = 'select pg_advisory_xact_lock(hashtextextended($1, 0))'

async function rolledBack(connection: Connection, error: unknown): Promise<unknown> {
  if (connection.isOpen()) await connection.query('rollback').catch(() => {})
  return error
}

/** Nothing was stored, for certain: the same may be tried again. */
function interrupted(name: string, cause: ConnectionLost): StoreError {
  return new StoreError(
    'interrupted',
    `The connection to the database ${name} (DATABASE_URL) was lost`,
    cause,
  )
}

function unknown(name: string, cause: unknown): StoreError {
  const message = `The database ${name} (DATABASE_URL) was lost while it stored something, and did not come back to say whether it did`
  return new StoreError('unknown', message, cause)
}

async function named<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw postgresStoreError(error, name)
  }
}

/** Transactions of this process wait for named locks before they take a connection: others would find none left. */
function createLockQueues() {
  const ends = new Map<string, Promise<unknown>>()

  return async <T>(names: readonly string[], work: () => Promise<T>): Promise<T> => {
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const own = new Map<string, Promise<unknown>>()
    try {
      for (const name of names) {
        const before = ends.get(name)
        const end = Promise.all([before, over])
        own.set(name, end)
        ends.set(name, end)
        if (before !== undefined) await withinAwake(before, lockPatienceMs, tooLong)
      }
      return await work()
    } finally {
      resolve()
      for (const [name, end] of own) if (ends.get(name) === end) ends.delete(name)
    }
  }
}

function tooLong(): StoreError {
  return new StoreError('locked', 'Others have held a lock in the database (DATABASE_URL) for too long.')
}

/** A row that a transaction leaves behind, by which it is found out what became of one whose answer was lost. */
const leaveMark = 'insert into commits (id, at_ms) values ($1, $2)'
/** A database that was restarted is back within this time. Callers who wait for longer would rather have an error. */
const patienceMs = 5_000
const openTimeoutMs = 1_500
const retryDelayMs = 100

/** True if the transaction was stored. Where it was not, it never will be. Undefined without an answer in time. */
async function wasStored(target: ConnectionTarget, id: string, nowMs: number): Promise<boolean | undefined> {
  const deadlineMs = performance.now() + patienceMs
  for (;;) {
    try {
      // A connection of its own, also where all others are in use and where the database is held to be away.
      const { connection } = await openConnection(target, { timeoutMs: openTimeoutMs })
      try {
        // Takes the mark's place. That waits for a transaction that has written it and is not over.
        const fence = `${leaveMark} on conflict do nothing`
        return (await connection.send(fence, [id, nowMs], patienceMs)).count === 0
      } finally {
        connection.destroy('its work is done')
      }
    } catch {
      if (performance.now() > deadlineMs) return undefined
    }
    await sleep(retryDelayMs)
  }
}

/** Faults of the database that are no mistake in a statement, by SQLSTATE. */
const faultsByState: ReadonlyMap<string, StoreFault> = new Map([
  ['55P03', 'locked'],
  ['40P01', 'locked'],
  ['40001', 'locked'],
  // Another server stored it first, which the next try sees.
  ['23505', 'interrupted'],
  ['57014', 'locked'],
  ['53100', 'full'],
  ['25006', 'readonly'],
])

/** Returns any error but a fault of the database or the way to it as it is. */
export function postgresStoreError(error: unknown, name: string): unknown {
  if (error instanceof StoreError) return error
  const state = sqlState(error)
  const isAway = error instanceof ConnectionLost || (state !== undefined && isConnectionFault(error))
  const kind = isAway ? 'failing' : faultsByState.get(state ?? '')
  if (kind === undefined) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new StoreError(kind, `The database ${name} (DATABASE_URL) could not be used: ${reason}`, error)
}

const dialect = new PgDialect()
const queryBuilder = new QueryBuilder(dialect)
/** The store runs the queries, so the builders need no session. */
const session = undefined as never

/** PostgreSQL's builders take the tables of SQLite's schema, because they ask only for names of tables and columns. */
export const postgresBuilders = {
  select: (selected: never) => queryBuilder.select(fields(selected)),
  insert: (table: never) => new PgInsertBuilder(table, session, dialect),
  update: (table: never) => new PgUpdateBuilder(table, session, dialect),
  remove: (table: never) => new PgDeleteBase(table, session, dialect),
  raw: (text: never) => ({ toSQL: () => dialect.sqlToQuery(text) }),
  indexed: (table: never) => table,
  rowNumber: sql`number`,
} as unknown as Builders

/** @param shard the name under which this process counts traffic: letters and digits */
export function postgresTexts(shard: string): DialectTexts {
  return {
    searchKeys: ({ text, limit }) =>
      postgresBuilders
        .select(getTableColumns(keys))
        .from(keys)
        .where(sql`position(lower(${text}) in lower(${keys.id} || ' ' || ${keys.name})) > 0`)
        .orderBy(sql`number desc`)
        .limit(limit),
    searchTerm: (text) => text,
    addTraffic: ({ day, endpoint, auth, status, count }) =>
      sql`insert into traffic_days as known (day, endpoint, auth, status, shard, count)
       values (${day}, ${endpoint}, ${auth}, ${status}, ${sql.raw(`'${shard}'`)}, ${count})
       on conflict (day, endpoint, auth, status, shard) do update set count = known.count + excluded.count`,
    // One statement adds and removes the rows, so that two servers that fold at once do not add them twice.
    foldTraffic: ({ upToDay }) =>
      sql`with moved as (delete from traffic_days where day between 1 and ${upToDay} returning *)
       insert into traffic_days as known (day, endpoint, auth, status, shard, count)
       select 0, endpoint, auth, status, '', sum(count) from moved group by endpoint, auth, status
       on conflict (day, endpoint, auth, status, shard) do update set count = known.count + excluded.count`,
  }
}
