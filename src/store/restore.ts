import { chmodSync, copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openDriver } from '#sqlite'
import { reasonOf } from '../lib/system-reason.ts'
import { checkCopy } from './backup.ts'
import { migrations } from './migrations.ts'
import { makePrivateFolder } from './private-files.ts'
import { keepReleasedSchema } from './released-schema.ts'
import type { Driver } from './sqlite/driver/driver.ts'
import { asStoreError, findStoreError, isLocked } from './store-error.ts'

export interface Restored {
  /** The path that the database there before has now. */
  readonly replaced: string | undefined
  /** Tables and indexes of the backup that no release made, which are not in the restored database. */
  readonly leftBehind: readonly string[]
}

/**
 * Puts a checked copy of a backup in the place of the database.
 * Throws, and changes nothing, where the copy is damaged or a process has the database open.
 */
export function restore(copy: string, database: string, nowMs: number): Restored {
  if (!existsSync(copy)) throw new Error(`There is no backup at ${copy}.`)
  if (!statSync(copy).isFile())
    throw new Error(`${copy} is no file. Name one of the files that backup wrote.`)
  const folder = `${database}.unfinished`
  const draft = join(folder, 'draft.sqlite')
  try {
    copyTo(copy, draft, database)
    const leftBehind = refuseUnfit(copy, draft)
    const replaced = existsSync(database) ? `${database}.before-restore-${nowMs}` : undefined
    if (replaced !== undefined) moveAway(database, replaced)
    renameSync(draft, database)
    return { replaced, leftBehind }
  } finally {
    if (existsSync(folder)) rmSync(folder, { recursive: true })
  }
}

function copyTo(copy: string, draft: string, database: string): void {
  try {
    // Nobody else may look into the folder, because a copied file has the rights of its source at first.
    makePrivateFolder(dirname(database))
    const folder = dirname(draft)
    if (existsSync(folder)) rmSync(folder, { recursive: true })
    makePrivateFolder(folder)
    copyFileSync(copy, draft)
    chmodSync(draft, 0o600)
  } catch (error) {
    throw new Error(
      `The database ${database} (DATA_DIR or DATABASE_URL) cannot be replaced: ${reasonOf(error)}.`,
      { cause: error },
    )
  }
}

/**
 * Throws for a file that is no whole backup of this version or an earlier one, whose tables the next start brings up to
 * date. Returns what was removed from it.
 */
function refuseUnfit(copy: string, draft: string): readonly string[] {
  let version: number
  let removed: readonly string[] = []
  try {
    version = checkCopy(draft)
    if (version > 0 && version <= migrations.length) removed = keepReleasedSchema(draft)
  } catch (error) {
    const reason = findStoreError(error)?.summary.replace('the database', 'it') ?? reasonOf(error)
    throw new Error(`The backup ${copy} cannot be restored: ${reason}.`, { cause: error })
  }
  if (version === 0) throw new Error(`${copy} is a SQLite database, but none of Mintmark's.`)
  if (version > migrations.length)
    throw new Error(`The backup ${copy} was written by a newer version of Mintmark: install that first.`)
  return removed
}

/** The database, its write-ahead log and the index of that. */
const journalEnds = ['', '-wal', '-shm']

function moveAway(database: string, replaced: string): void {
  refuseOpenDatabase(database)
  // The log first: without it, an interrupted move leaves a database that is only older.
  for (const end of journalEnds) {
    if (!existsSync(database + end)) continue
    renameSync(database + end, replaced + end)
    chmodSync(replaced + end, 0o600)
  }
}

/** SQLite leaves the write-ahead mode only while no other process has the file open. */
function refuseOpenDatabase(path: string): void {
  const file = { path, setting: 'DATA_DIR or DATABASE_URL' }
  let database: Driver | undefined
  try {
    database = openDriver(path)
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
