import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { asStoreError, type DatabaseFile, isLocked, StoreError } from './store-error.ts'

/**
 * One connection to the SQLite file: plain statements, and transactions that take the write lock at once. What goes
 * wrong with the file or its disk is thrown as a `StoreError`.
 */
export interface Sqlite {
  prepare<Row>(sql: string): Statement<Row>
  exec(sql: string): void
  /**
   * Runs `work` alone among all processes. What it wrote is there for all of them when this returns, and
   * nothing of it is when it throws. `durable` waits for the disk, so that not even a power cut undoes it.
   */
  transaction<T>(work: () => T, options?: { readonly durable?: boolean }): T
  /**
   * From now on a lock of another process is reported at once, instead of waited for: a wait inside SQLite stops the
   * event loop. Who can wait does it with `retryWhileLocked`.
   */
  reportLocksAtOnce(): void
  /** From now on every transaction throws the error; with undefined they go on. */
  refuse(error: StoreError | undefined): void
  /** The last thing that was wrong with the file or its disk, locks aside, and the `performance.now()` of it. */
  lastFault(): Fault | undefined
  close(): void
}

export interface Fault {
  readonly error: StoreError
  readonly atMs: number
}

/** What can be bound to a parameter. */
export type SqlValue = null | number | string | Uint8Array

export interface Statement<Row> {
  get(...values: SqlValue[]): Row | undefined
  all(...values: SqlValue[]): Row[]
  /** Returns how many rows changed. */
  run(...values: SqlValue[]): { readonly changes: number | bigint }
}

/** At the start nobody waits for an answer, and other processes may be busy with the migrations. */
const busyTimeoutMs = 5_000

/** @param setting the name of the setting that leads to the file, for error messages */
export function openSqlite(path: string, setting = 'DATA_DIR or DATABASE_URL'): Sqlite {
  const file = { path, setting }
  let last: Fault | undefined

  function translated(error: unknown): unknown {
    const translation = asStoreError(error, file)
    if (translation instanceof StoreError && translation.kind !== 'locked')
      last = { error: translation, atMs: performance.now() }
    return translation
  }

  const database = retryAtStart(() => connect(file))
  const begin = database.prepare('begin immediate')
  const commit = database.prepare('commit')
  let inside = false
  let refusal: StoreError | undefined

  function attempt<T>(work: () => T): T {
    if (refusal !== undefined) throw refusal
    begin.run()
    inside = true
    try {
      const result = work()
      commit.run()
      return result
    } catch (error) {
      // SQLite has already rolled back by itself after some errors, a full disk among them.
      if (database.isTransaction) database.exec('rollback')
      throw error
    } finally {
      inside = false
    }
  }

  function guarded<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw translated(error)
    }
  }

  function attemptDurably<T>(work: () => T): T {
    database.exec('pragma synchronous = full')
    try {
      return attempt(work)
    } finally {
      database.exec('pragma synchronous = normal')
    }
  }

  return {
    prepare: (sql) => guarded(() => prepare(database, sql, { translated, refusal: () => refusal })),
    exec: (sql) => guarded(() => database.exec(sql)),
    transaction(work, { durable = false } = {}) {
      if (inside) return work()
      return guarded(() => (durable ? attemptDurably(work) : attempt(work)))
    },
    reportLocksAtOnce: () => database.exec('pragma busy_timeout = 0'),
    refuse(error) {
      refusal = error
    },
    lastFault: () => last,
    close: () => database.close(),
  }
}

function connect(file: DatabaseFile): DatabaseSync {
  let database: DatabaseSync | undefined
  try {
    if (file.path !== ':memory:') mkdirSync(dirname(file.path), { recursive: true })
    database = new DatabaseSync(file.path)
    database.exec(`pragma busy_timeout = ${busyTimeoutMs}`)
    database.exec('pragma journal_mode = wal')
    database.exec('pragma synchronous = normal')
    database.exec('pragma foreign_keys = on')
    // A quarter as many waits for the disk as by default, for a journal of at most some 16 MB.
    database.exec('pragma wal_autocheckpoint = 4000')
    return database
  } catch (error) {
    database?.close()
    throw asStoreError(error, file)
  }
}

/**
 * Runs the queries on a connection of their own, which has no page of the file in its memory yet: so it meets what was
 * overwritten. Makes nothing, and waits for no lock. Throws a `StoreError`.
 */
export function readAnew(file: DatabaseFile, queries: readonly string[]): void {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file.path, { readOnly: true })
    database.exec('pragma busy_timeout = 0')
    for (const query of queries) database.prepare(query).get()
  } catch (error) {
    throw asStoreError(error, file)
  } finally {
    database?.close()
  }
}

/**
 * Repeats `work` while other processes hold a lock, for as long as a start may take. SQLite reports some locks at once,
 * whatever its busy timeout: when two processes switch a new file to WAL, and when the last connection of a file closes.
 * Blocks the event loop, so it is only for the start, when nobody waits for an answer yet.
 */
export function retryAtStart<T>(work: () => T): T {
  const deadlineMs = performance.now() + busyTimeoutMs
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isLocked(error) || performance.now() > deadlineMs) throw error
      waitSync(1 + Math.random() * 10)
    }
  }
}

function waitSync(timeMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, timeMs)
}

interface Guard {
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
