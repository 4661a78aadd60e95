import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { startPatienceMs } from './retry-at-start.ts'
import { asStoreError, type DatabaseFile } from './store-error.ts'

/** Opens a connection to the database file, and makes the file and its directory when missing. Throws a `StoreError`. */
export function connect(file: DatabaseFile): DatabaseSync {
  let database: DatabaseSync | undefined
  try {
    if (file.path !== ':memory:') mkdirSync(dirname(file.path), { recursive: true })
    database = new DatabaseSync(file.path)
    database.exec(`pragma busy_timeout = ${startPatienceMs}`)
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
 * Runs the queries on a new connection, whose page cache is empty: it notices pages of the file that were overwritten.
 * Makes no file, and waits for no lock. Throws a `StoreError`.
 */
export function readFromDisk(file: DatabaseFile, queries: readonly string[]): void {
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
