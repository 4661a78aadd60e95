import { accessSync, constants, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from '../lib/system-reason.ts'
import type { KeyValueTable } from './key-values.ts'
import { migrations, schemaVersion } from './migrations.ts'
import { makePrivateFile, makePrivateFolder } from './private-files.ts'
import { openSqlite, type Sqlite } from './sqlite.ts'
import { findStoreError } from './store-error.ts'

/** The name of the value that says when and where the database was backed up last: `<ms> <path>`. */
const lastBackupName = 'last_backup'

/** Advice for backing up PostgreSQL, which these commands do not do. */
export const backupWithPostgres =
  'Back up PostgreSQL with pg_dump --format=custom, and restore the dump with pg_restore.'

/**
 * Writes a consistent copy of a live database into the directory, opens it to prove that it is whole, and returns
 * its path. Throws, and leaves no file, when it is not. Other processes go on reading and writing meanwhile.
 */
export function backUp(database: string, directory: string, nowMs: number): string {
  if (!existsSync(database))
    throw new Error(`There is no database at ${database} (DATA_DIR or DATABASE_URL).`)
  prepareDirectory(directory)
  const target = join(directory, backupName(nowMs))
  const unfinished = `${target}.unfinished`
  const source = openSqlite(database)
  try {
    rmSync(unfinished, { force: true })
    // It has client addresses, keys and payers.
    makePrivateFile(unfinished)
    source.exec(`vacuum into '${unfinished.replaceAll("'", "''")}'`)
    verify(unfinished)
    renameSync(unfinished, target)
    noteBackup(source, `${nowMs} ${target}`)
  } finally {
    source.close()
    rmSync(unfinished, { force: true })
  }
  return target
}

/** SQLite would only say that it cannot open a file, and name the database. */
function prepareDirectory(directory: string): void {
  try {
    makePrivateFolder(directory)
    accessSync(directory, constants.W_OK)
  } catch (error) {
    const reason = reasonOf(error)
    throw new Error(`No backup can be written to ${directory}: ${reason}.`, { cause: error })
  }
}

/** A database that cannot be written keeps no note; the copy is good all the same. */
function noteBackup(source: Sqlite, note: string): void {
  try {
    source
      .prepare(
        'insert into facts (name, value) values (?, ?) on conflict do update set value = excluded.value',
      )
      .run(lastBackupName, note)
  } catch (error) {
    if (findStoreError(error) === undefined) throw error
  }
}

/** Time and file of the last backup, no matter who made it; undefined if there is none. */
export async function lastBackup(
  keyValues: KeyValueTable,
): Promise<{ readonly atMs: number; readonly path: string } | undefined> {
  const entry = await keyValues.get(lastBackupName)
  if (entry === undefined) return undefined
  const space = entry.indexOf(' ')
  return { atMs: Number(entry.slice(0, space)), path: entry.slice(space + 1) }
}

/** For example `mintmark-20261121-140251.sqlite`: such names sort by time. */
function backupName(nowMs: number): string {
  const [day, time] = new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').split('T')
  return `mintmark-${day}-${time}.sqlite`
}

function verify(path: string): void {
  const version = checkCopy(path)
  if (version !== migrations.length)
    throw new Error(`The backup is at migration ${version}, not ${migrations.length}.`)
}

/** Opens a copy, throws if it is damaged, and returns the version of its tables. Leaves nothing beside it. */
export function checkCopy(path: string): number {
  const copy = openSqlite(path)
  try {
    const result = copy.prepare<{ integrity_check: string }>('pragma integrity_check').get()?.integrity_check
    if (result !== 'ok') throw new Error(`The backup is damaged: ${result}`)
    return schemaVersion(copy)
  } finally {
    // Leaves no write-ahead log beside the copy.
    copy.exec('pragma journal_mode = delete')
    copy.close()
  }
}
