import type { Database, TransactionOptions } from '../database.ts'
import type { DialectTexts } from '../dialect-texts.ts'
import type { BoundStatement, Executable, StatementResult, Steps } from '../operation.ts'
import type { Connection, QueryResult } from './connection.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { numberParameters } from './question-marks.ts'
import { asStoreError } from './store-errors.ts'

/**
 * PostgreSQL as a database. A transaction has a connection of its own from its first statement to its commit, and takes
 * its named locks before anything else: each statement after that sees what the transactions before it stored.
 *
 * @param name the database, for messages
 */
export function createPostgresDatabase(pool: ConnectionPool, name: string, texts: DialectTexts): Database {
  const statements = new Map<string, string>()

  function textOf(sql: string): string {
    const text = statements.get(sql) ?? numberParameters(sql)
    statements.set(sql, text)
    return text
  }

  async function send(
    connection: Connection,
    { sql, values }: Pick<BoundStatement, 'sql' | 'values'>,
  ): Promise<StatementResult> {
    const { rows, count }: QueryResult<Record<string, unknown>> = await connection.send(textOf(sql), values)
    return { rows, count }
  }

  async function runSteps<T>(connection: Connection, steps: Steps<T>): Promise<T> {
    let step = steps.next()
    while (!step.done) {
      const { statement, read } = step.value
      let value: unknown
      try {
        value = read(await send(connection, statement))
      } catch (error) {
        step = steps.throw(error)
        continue
      }
      step = steps.next(value)
    }
    return step.value
  }

  async function transaction<T>(
    work: () => Executable<T>,
    { locks = [] }: TransactionOptions = {},
  ): Promise<T> {
    return await pool.use(async (connection) => {
      try {
        // The locks are taken in one order, so that two transactions never wait for each other.
        const names = [...new Set(locks)].sort()
        await Promise.all([
          connection.query(begin),
          ...names.map((lock) => connection.query(takeLock, [lock])),
        ])
        const result = await runSteps(connection, work()[Symbol.iterator]())
        await connection.query('commit')
        return result
      } catch (error) {
        if (connection.isOpen()) await connection.query('rollback').catch(() => {})
        throw error
      }
    })
  }

  return {
    prepare: (sql) => void textOf(sql),
    execute: (statement) => named(name, () => pool.use((connection) => send(connection, statement))),
    texts,
    transaction: (work, options) => named(name, () => transaction(work, options)),
  }
}

/** Works with a pooler in transaction mode too, which keeps no settings between transactions. */
const begin = `begin isolation level read committed; set local lock_timeout = '3s'; set local idle_in_transaction_session_timeout = '5s'`
const takeLock = 'select pg_advisory_xact_lock(hashtextextended($1, 0))'

async function named<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asStoreError(error, name)
  }
}
