import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

/** One connection to the SQLite file: plain statements, and transactions that take the write lock at once. */
export interface Sqlite {
  prepare<Row>(sql: string): Statement<Row>
  exec(sql: string): void
  /**
   * Runs `work` alone among all processes. What it wrote is there for all of them when this returns, and
   * nothing of it is when it throws. `durable` waits for the disk, so that not even a power cut undoes it.
   */
  transaction<T>(work: () => T, options?: { readonly durable?: boolean }): T
  close(): void
}

interface Statement<Row> {
  get(...values: SQLInputValue[]): Row | undefined
  all(...values: SQLInputValue[]): Row[]
  /** Every row as the array of its columns. */
  values(...values: SQLInputValue[]): unknown[][]
  /** Returns how many rows changed. */
  run(...values: SQLInputValue[]): { readonly changes: number | bigint }
}

const busyTimeoutMs = 5_000

export function openSqlite(path: string): Sqlite {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true })
  const database = new DatabaseSync(path)
  database.exec(`pragma busy_timeout = ${busyTimeoutMs}`)
  switchToWal(database)
  database.exec('pragma synchronous = normal')
  database.exec('pragma foreign_keys = on')
  // A quarter as many waits for the disk as by default, for a journal of at most some 16 MB.
  database.exec('pragma wal_autocheckpoint = 4000')
  const begin = database.prepare('begin immediate')
  const commit = database.prepare('commit')
  let inside = false

  function attempt<T>(work: () => T): T {
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

  return {
    prepare: (sql) => prepare(database, sql),
    exec: (sql) => database.exec(sql),
    transaction(work, { durable = false } = {}) {
      if (inside) return work()
      if (!durable) return attempt(work)
      database.exec('pragma synchronous = full')
      try {
        return attempt(work)
      } finally {
        database.exec('pragma synchronous = normal')
      }
    },
    close: () => database.close(),
  }
}

/**
 * Two processes that switch a new file at the same moment would wait for each other, so SQLite refuses one of them
 * at once, whatever its busy timeout: it has to try again.
 */
function switchToWal(database: DatabaseSync): void {
  const giveUpAt = performance.now() + busyTimeoutMs
  for (;;) {
    try {
      database.exec('pragma journal_mode = wal')
      return
    } catch (error) {
      if (!isLocked(error) || performance.now() > giveUpAt) throw error
      waitSync(1 + Math.random() * 10)
    }
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && error.message.includes('database is locked')
}

function waitSync(timeMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, timeMs)
}

function prepare<Row>(database: DatabaseSync, sql: string): Statement<Row> {
  const statement = database.prepare(sql)
  let arrays: ReturnType<DatabaseSync['prepare']> | undefined
  return {
    get: (...values) => statement.get(...values) as Row | undefined,
    all: (...values) => statement.all(...values) as Row[],
    values(...values) {
      arrays ??= asArrays(database.prepare(sql))
      return arrays.all(...values) as unknown as unknown[][]
    },
    run: (...values) => statement.run(...values),
  }
}

function asArrays(statement: ReturnType<DatabaseSync['prepare']>) {
  statement.setReturnArrays(true)
  return statement
}
