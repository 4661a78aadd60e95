import type { DatabaseSync } from 'node:sqlite'
import { connect } from './connect.ts'
import { retryAtStart } from './retry-at-start.ts'
import { asStoreError, StoreError } from './store-error.ts'
import { createTransactions } from './transactions.ts'

/**
 * One connection to the SQLite file: plain statements, and transactions that take the write lock at once. Faults of the
 * file and its disk are thrown as `StoreError`s.
 */
export interface Sqlite {
  prepare<Row>(sql: string): Statement<Row>
  exec(sql: string): void
  /**
   * Runs `work` alone among all processes. When this returns, all of them see what it wrote; when it throws, nothing was
   * written. `durable` waits for the disk, so that not even a power cut undoes the transaction.
   */
  transaction<T>(work: () => T, options?: { readonly durable?: boolean }): T
  /**
   * From now on a lock of another process is an error at once, because a wait inside SQLite stops the event loop.
   * Callers that can wait use `retryWhileLocked`.
   */
  reportLocksAtOnce(): void
  /** From now on every write throws the error, until this is called with undefined. */
  refuse(error: StoreError | undefined): void
  /** The last fault of the file or its disk, locks aside. */
  lastFault(): Fault | undefined
  close(): void
}

export interface Fault {
  readonly error: StoreError
  /** By `performance.now()`. */
  readonly atMs: number
}

/** What can be bound to a parameter. */
export type SqlValue = null | number | string | Uint8Array

export interface Statement<Row> {
  get(...values: SqlValue[]): Row | undefined
  all(...values: SqlValue[]): Row[]
  /** Returns how many rows changed, without those that triggers changed. */
  run(...values: SqlValue[]): { readonly changes: number | bigint }
}

/** @param setting the name of the setting that leads to the file, for error messages */
export function openSqlite(path: string, setting = 'DATA_DIR or DATABASE_URL'): Sqlite {
  const file = { path, setting }
  const database = retryAtStart(() => connect(file))
  const transactions = createTransactions(database)
  let lastFault: Fault | undefined
  let refusal: StoreError | undefined

  function translated(error: unknown): unknown {
    const translation = asStoreError(error, file)
    if (translation instanceof StoreError && translation.kind !== 'locked')
      lastFault = { error: translation, atMs: performance.now() }
    return translation
  }

  function guarded<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw translated(error)
    }
  }

  return {
    prepare: (sql) => guarded(() => prepare(database, sql, { translated, refusal: () => refusal })),
    exec: (sql) => guarded(() => database.exec(sql)),
    transaction(work, { durable = false } = {}) {
      if (transactions.isOpen()) return work()
      return guarded(() => {
        if (refusal !== undefined) throw refusal
        return transactions.run(work, durable)
      })
    },
    reportLocksAtOnce: () => database.exec('pragma busy_timeout = 0'),
    refuse(error) {
      refusal = error
    },
    lastFault: () => lastFault,
    close: () => database.close(),
  }
}

interface Guard {
  /** Makes a `StoreError` of an error of SQLite's. */
  readonly translated: (error: unknown) => unknown
  readonly refusal: () => StoreError | undefined
}

function prepare<Row>(database: DatabaseSync, sql: string, { translated, refusal }: Guard): Statement<Row> {
  const statement = database.prepare(sql)
  return {
    get(...values) {
      try {
        return statement.get(...values) as Row | undefined
      } catch (error) {
        throw translated(error)
      }
    },
    all(...values) {
      try {
        return statement.all(...values) as Row[]
      } catch (error) {
        throw translated(error)
      }
    },
    run(...values) {
      const refused = refusal()
      if (refused !== undefined) throw refused
      try {
        return statement.run(...values)
      } catch (error) {
        throw translated(error)
      }
    },
  }
}
