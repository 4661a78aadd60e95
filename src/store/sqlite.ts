import { connect, retryAtStart } from './connect.ts'
import type { DatabaseValue } from './operation.ts'
import type { DriverStatement } from './sqlite/driver/driver.ts'
import { asStoreError, StoreError } from './store-error.ts'
import { createTransactions } from './transactions.ts'

/**
 * One connection to the SQLite file: plain statements, and transactions that take the write lock at once. Faults of the
 * file and its disk are thrown as `StoreError`s.
 */
export interface Sqlite {
  prepare<Row>(sql: string): DriverStatement<Row>
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
  /**
   * Notes a fault that was met outside this connection. A damaged file takes no more writes until the next start: what
   * this connection has in memory may look well, and what it stores could not be read again.
   */
  noteFault(error: StoreError): void
  /** The last fault of the file or its disk, locks aside. */
  lastFault(): Fault | undefined
  close(): void
}

export interface Fault {
  readonly error: StoreError
  /** Time of `performance.now()`. */
  readonly atMs: number
}

/** @param setting the name of the setting that leads to the file, for error messages */
export function openSqlite(path: string, setting = 'DATA_DIR or DATABASE_URL'): Sqlite {
  const file = { path, setting }
  const database = retryAtStart(() => connect(file))
  const transactions = createTransactions(database)
  let lastFault: Fault | undefined
  let refusal: StoreError | undefined
  let damage: StoreError | undefined

  function noteFault(error: StoreError): void {
    if (error.kind === 'locked') return
    lastFault = { error, atMs: performance.now() }
    if (error.kind === 'damaged' || error.kind === 'not_sqlite') damage ??= error
  }

  /** Throws why nothing is written now. */
  function checkWritable(): void {
    const reason = damage ?? refusal
    if (reason !== undefined) throw reason
  }

  /** Makes a `StoreError` of an error of SQLite's. */
  function guarded<T>(work: (...values: DatabaseValue[]) => T, values: DatabaseValue[] = []): T {
    try {
      return work(...values)
    } catch (error) {
      const translation = asStoreError(error, file)
      if (translation instanceof StoreError) noteFault(translation)
      throw translation
    }
  }

  return {
    prepare<Row>(sql: string) {
      const { get, all, run } = guarded(() => database.prepare<Row>(sql))
      return {
        get: (...values) => guarded(get, values),
        all: (...values) => guarded(all, values),
        run(...values) {
          checkWritable()
          return guarded(run, values)
        },
      }
    },
    exec: (sql) => guarded(() => database.exec(sql)),
    transaction(work, { durable = false } = {}) {
      if (transactions.isOpen()) return work()
      return guarded(() => {
        checkWritable()
        return transactions.run(work, durable)
      })
    },
    reportLocksAtOnce: () => database.exec('pragma busy_timeout = 0'),
    refuse(error) {
      refusal = error
    },
    noteFault,
    lastFault: () => lastFault,
    close: () => database.close(),
  }
}
