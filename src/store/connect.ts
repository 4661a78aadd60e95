import { dirname } from 'node:path'
import { openDriver } from '#sqlite'
import { makePrivateFile, makePrivateFolder } from './private-files.ts'
import type { Driver } from './sqlite/driver/driver.ts'
import { asStoreError, type DatabaseFile, isLocked } from './store-error.ts'

/** At the start nobody waits for an answer, and other processes may be busy with the migrations. */
export const startPatienceMs = 5_000

/** Opens a connection to the database file, and makes the file and its directory when missing. Throws a `StoreError`. */
export function connect(file: DatabaseFile): Driver {
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
 * Runs the queries on a new connection, whose page cache is empty: it notices pages of the file that were overwritten.
 * Makes no file, and waits for no lock. Throws a `StoreError`.
 */
export function readFromDisk(file: DatabaseFile, queries: readonly string[]): void {
  let database: Driver | undefined
  try {
    database = openDriver(file.path, { readOnly: true })
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
 * Blocks the event loop, so it is only for the start.
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
