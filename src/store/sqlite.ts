import { dirname } from 'node:path'
import { openDriver } from '#sqlite'
import type { DatabaseValue } from './database.ts'
import { makePrivateFile, makePrivateFolder } from './database-location.ts'
import { migrations } from './migrations.generated.ts'
import type { Driver, DriverStatement } from './sqlite/driver/driver.ts'
import { asStoreError, type DatabaseFile, isLocked, StoreError, storeError } from './store-error.ts'

export type Sqlite = ReturnType<typeof openSqlite>

/** Transactions take the write lock at once. Faults of the file and its disk are thrown as `StoreError`s. */
export function openSqlite(path: string, setting = 'DATA_DIR or DATABASE_URL') {
  const file = { path, setting }
  const database = retryAtStart(() => connect(file))
  const begin = database.prepare('begin immediate')
  const commit = database.prepare('commit')
  let isInTransaction = false
  let lastFault: { readonly error: StoreError; readonly atMs: number } | undefined
  let refusal: StoreError | undefined
  let damage: StoreError | undefined

  /** A damaged file takes no writes until the next start: what is in memory may look well and not be readable again. */
  function noteFault(error: StoreError): void {
    if (error.kind === 'locked') return
    lastFault = { error, atMs: performance.now() }
    if (error.kind === 'damaged' || error.kind === 'not_sqlite') damage ??= error
  }

  function checkWritable(): void {
    const reason = damage ?? refusal
    if (reason !== undefined) throw reason
  }

  function guarded<T>(work: (...values: DatabaseValue[]) => T, values: DatabaseValue[] = []): T {
    try {
      return work(...values)
    } catch (error) {
      const translation = asStoreError(error, file)
      if (translation instanceof StoreError) noteFault(translation)
      throw translation
    }
  }

  function runAlone<T>(work: () => T): T {
    begin.run()
    isInTransaction = true
    try {
      const result = work()
      commit.run()
      return result
    } catch (error) {
      // SQLite has already rolled back by itself after some errors, a full disk among them.
      if (database.isInTransaction()) database.exec('rollback')
      throw error
    } finally {
      isInTransaction = false
    }
  }

  function runDurably<T>(work: () => T): T {
    database.exec('pragma synchronous = full')
    try {
      return runAlone(work)
    } finally {
      database.exec('pragma synchronous = normal')
    }
  }

  return {
    file,
    prepare<Row>(sql: string): DriverStatement<Row> {
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
    exec: (sql: string) => guarded(() => database.exec(sql)),
    /** Runs `work` alone among all processes, as one. `durable` waits for the disk: no power cut undoes it. */
    transaction<T>(work: () => T, { durable = false }: { readonly durable?: boolean } = {}): T {
      if (isInTransaction) return work()
      return guarded(() => {
        checkWritable()
        return durable ? runDurably(work) : runAlone(work)
      })
    },
    /** From now on a lock of another process is an error at once, because a wait inside SQLite stops the event loop. */
    reportLocksAtOnce: () => database.exec('pragma busy_timeout = 0'),
    refuse(error: StoreError | undefined): void {
      refusal = error
    },
    noteFault,
    /** The last fault of the file or its disk, locks aside, with the time of `performance.now()`. */
    lastFault: () => lastFault,
    close: () => database.close(),
  }
}

/** At the start nobody waits for an answer, and other processes may be busy with the migrations. */
const startPatienceMs = 5_000

function connect(file: DatabaseFile): Driver {
  let database: Driver | undefined
  try {
    if (file.path !== ':memory:') {
      makePrivateFolder(dirname(file.path))
      makePrivateFile(file.path)
    }
    database = openDriver(file.path)
    database.exec(`pragma busy_timeout = ${startPatienceMs}`)
    database.exec('pragma journal_mode = wal')
    database.exec('pragma synchronous = normal')
    // A quarter as many waits for the disk as by default, for a journal of at most some 16 MB.
    database.exec('pragma wal_autocheckpoint = 4000')
    return database
  } catch (error) {
    database?.close()
    throw asStoreError(error, file)
  }
}

/**
 * SQLite reports some locks at once, whatever its busy timeout: when two processes switch a new file to WAL, and when
 * the last connection of a file closes. Blocks the event loop, so it is only for the start.
 */
export function retryAtStart<T>(work: () => T): T {
  const deadlineMs = performance.now() + startPatienceMs
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isLocked(error) || performance.now() > deadlineMs) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1 + Math.random() * 10)
    }
  }
}

export function schemaVersion(sqlite: Pick<Sqlite, 'prepare'>): number {
  return sqlite.prepare<{ user_version: number }>('pragma user_version').get()?.user_version ?? 0
}

/** Processes that start together wait for one another, and one migrates. Throws for a newer database. */
export function migrate(sqlite: Sqlite): void {
  sqlite.transaction(
    () => {
      const done = schemaVersion(sqlite)
      if (done > migrations.length) throw storeError('newer', sqlite.file)
      for (const migration of migrations.slice(done)) sqlite.exec(migration)
      if (done < migrations.length) sqlite.exec(`pragma user_version = ${migrations.length}`)
    },
    { durable: true },
  )
}

/** Throws unless the database has the tables of this version. */
export function refuseOtherVersion(sqlite: Pick<Driver, 'prepare'>, file: DatabaseFile): void {
  const version = schemaVersion(sqlite)
  if (version > migrations.length) throw storeError('newer', file)
  if (version === 0) throw new Error(`${file.path} is a SQLite database, but none of Mintmark's.`)
  if (version < migrations.length)
    throw new Error(
      `The database ${file.path} (${file.setting}) was written by an older version of Mintmark. Start a server of this version once, which brings its tables up to date.`,
    )
}
