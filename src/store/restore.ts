import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { checkCopy } from './backup.ts'
import { migrations } from './migrations.ts'
import { asStoreError, findStoreError, isLocked } from './store-error.ts'

/**
 * Puts a checked copy of a backup in the place of the database. Returns the path that the database there before has now.
 * Throws, and changes nothing, where the copy is damaged or a process has the database open.
 */
export function restore(
  copy: string,
  database: string,
  nowMs: number,
): { readonly replaced: string | undefined } {
  if (!existsSync(copy)) throw new Error(`There is no backup at ${copy}.`)
  const draft = `${database}.unfinished`
  try {
    copyTo(copy, draft, database)
    refuseUnfit(copy, draft)
    const replaced = existsSync(database) ? `${database}.before-restore-${nowMs}` : undefined
    if (replaced !== undefined) moveAway(database, replaced)
    renameSync(draft, database)
    return { replaced }
  } finally {
    for (const end of journalEnds) if (existsSync(draft + end)) rmSync(draft + end)
  }
}

function copyTo(copy: string, draft: string, database: string): void {
  try {
    mkdirSync(dirname(database), { recursive: true, mode: 0o700 })
    copyFileSync(copy, draft)
    chmodSync(draft, 0o600)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`The database ${database} (DATA_DIR or DATABASE_URL) cannot be replaced: ${reason}.`, {
      cause: error,
    })
  }
}

/** Throws for a file that is no whole backup of this version or an earlier one, whose tables the next start brings up to date. */
function refuseUnfit(copy: string, draft: string): void {
  let version: number
  try {
    version = checkCopy(draft)
  } catch (error) {
    const reason = findStoreError(error)?.summary.replace('the database', 'it') ?? String(error)
    throw new Error(`The backup ${copy} cannot be restored: ${reason}.`, { cause: error })
  }
  if (version === 0) throw new Error(`${copy} is a SQLite database, but none of Mintmark's.`)
  if (version > migrations.length)
    throw new Error(`The backup ${copy} was written by a newer version of Mintmark: install that first.`)
}

/** The database, its write-ahead log and the index of that. */
const journalEnds = ['', '-wal', '-shm']

function moveAway(database: string, replaced: string): void {
  refuseOpenDatabase(database)
  // The log first: without it, an interrupted move leaves a database that is only older.
  for (const end of journalEnds) if (existsSync(database + end)) renameSync(database + end, replaced + end)
}

/** SQLite leaves the write-ahead mode only while no other process has the file open. */
function refuseOpenDatabase(path: string): void {
  const file = { path, setting: 'DATA_DIR or DATABASE_URL' }
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path)
    database.exec('pragma busy_timeout = 500')
    database.exec('pragma journal_mode = delete')
  } catch (error) {
    // A damaged database is why one restores: it is only moved away.
    if (isLocked(asStoreError(error, file)))
      throw new Error(`The database ${path} is open in another process. Stop the service first.`)
  } finally {
    database?.close()
  }
}
