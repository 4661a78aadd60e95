import type { Clock } from '../../lib/clock.ts'
import type { Database, TransactionOptions } from '../database.ts'
import type { DialectTexts } from '../dialect-texts.ts'
import type { BoundStatement, StatementResult, Steps } from '../operation.ts'
import { StoreError } from '../store-error.ts'
import { createCommitMarks } from './commit-marks.ts'
import type { Connection } from './connection.ts'
import { ConnectionLost } from './connection-lost.ts'
import type { ConnectionPool } from './connection-pool.ts'
import type { ConnectionTarget } from './connection-target.ts'
import { createLockQueues } from './lock-queues.ts'
import { postgresBuilders } from './postgres-builders.ts'
import { createPostgresStatements } from './postgres-statements.ts'
import { postgresStoreError } from './store-errors.ts'

interface Deps {
  readonly target: ConnectionTarget
  readonly pool: Pick<ConnectionPool, 'use'>
  readonly clock: Clock
  readonly texts: DialectTexts
}

/**
 * The body of a transaction, between its begin and its commit. Returns the result, and whether anything was written.
 */
type Work<T> = (connection: Connection) => Promise<{ readonly result: T; readonly hasWritten: boolean }>

/**
 * PostgreSQL as a database. A transaction has a connection of its own from its first statement to its commit, and takes
 * its named locks before anything else: each statement after that sees what the transactions before it stored. A write
 * outside of a transaction is one by itself. After a connection is lost during a commit, the caller finds out whether it was stored.
 */
export function createPostgresDatabase({ target, pool, clock, texts }: Deps): Database {
  const { name } = target
  const marks = createCommitMarks(target, clock)
  const queues = createLockQueues(lockPatienceMs)
  const { send, isRead } = createPostgresStatements()

  async function runSteps<T>(connection: Connection, steps: Steps<T>) {
    let hasWritten = false
    let step = steps.next()
    while (!step.done) {
      const { statement, read } = step.value
      let value: unknown
      try {
        hasWritten ||= !isRead(statement.sql)
        value = read(await send(connection, statement))
      } catch (error) {
        step = steps.throw(error)
        continue
      }
      step = steps.next(value)
    }
    return { result: step.value, hasWritten }
  }

  async function transact<T>(work: Work<T>, locks: readonly string[]): Promise<T> {
    const id = marks.newId()
    const { result, loss } = await pool.use(async (connection) => {
      const done = await beforeCommit(connection, work, locks)
      const commit = done.hasWritten ? marks.commit(connection, id) : connection.query('commit')
      const problem = await commit.then(
        () => undefined,
        (error: unknown) => error,
      )
      if (problem !== undefined && !(problem instanceof ConnectionLost))
        throw await rolledBack(connection, problem)
      return { result: done.result, loss: done.hasWritten ? problem : undefined }
    })
    if (loss === undefined) return result
    const wasStored = await marks.wasStored(id)
    if (wasStored === true) return result
    throw wasStored === false ? interrupted(name, loss) : unknown(name, loss)
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
  async function readTwice(statement: BoundStatement): Promise<StatementResult> {
    try {
      return await pool.use((connection) => send(connection, statement))
    } catch (error) {
      if (!(error instanceof ConnectionLost) || error.isSilent) throw error
      return await pool.use((connection) => send(connection, statement))
    }
  }

  return {
    builders: postgresBuilders,
    prepare: (sql) => void isRead(sql),
    execute: (statement) =>
      named(name, () =>
        isRead(statement.sql)
          ? readTwice(statement)
          : transact(
              async (connection) => ({ result: await send(connection, statement), hasWritten: true }),
              [],
            ),
      ),
    texts,
    transaction(work, { locks = [] }: TransactionOptions = {}) {
      // They are taken in one order, so that two transactions never wait for each other.
      const names = [...new Set(locks)].sort()
      return named(name, () =>
        queues(names, () => transact((connection) => runSteps(connection, work()[Symbol.iterator]()), names)),
      )
    },
  }
}

const lockPatienceMs = 3_000
/** Works with a pooler in transaction mode too, which keeps no settings between transactions. */
const begin = `begin isolation level read committed; set local lock_timeout = ${lockPatienceMs}; set local idle_in_transaction_session_timeout = '5s'`
const takeLock = 'select pg_advisory_xact_lock(hashtextextended($1, 0))'

/** Ends the transaction after an error, which is returned. */
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
