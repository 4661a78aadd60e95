import { chmodSync, copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openDriver } from '#sqlite'
import { reasonOf } from '../lib/system-reason.ts'
import { makePrivateFile, makePrivateFolder } from './database-location.ts'
import type { KeyValueTable } from './key-values.ts'
import { migrations } from './migrations.generated.ts'
import type { Driver } from './sqlite/driver/driver.ts'
import { openSqlite, type Sqlite, schemaVersion } from './sqlite.ts'
import { asStoreError, findStoreError, isLocked } from './store-error.ts'

/** The name of the value that says when and where the database was backed up last: `<ms> <path>`. */
const lastBackupName = 'last_backup'

export const backupWithPostgres =
  'Back up PostgreSQL with pg_dump --format=custom, and restore the dump with pg_restore.'

/** Copies a live database, proves that the copy is whole, and returns its path. Throws, and leaves no file, when it is not. */
export function backUp(database: string, directory: string, nowMs: number): string {
  if (!existsSync(database))
    throw new Error(`There is no database at ${database} (DATA_DIR or DATABASE_URL).`)
  // Such names sort by time: `mintmark-20261121-140251.sqlite`.
  const [day, time] = new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').split('T')
  const target = join(directory, `mintmark-${day}-${time}.sqlite`)
  const unfinished = `${target}.unfinished`
  makeEmptyFile(directory, unfinished)
  const source = openSqlite(database)
  try {
    source.exec(`vacuum into '${unfinished.replaceAll("'", "''")}'`)
    const version = checkCopy(unfinished)
    if (version !== migrations.length)
      throw new Error(`The backup is at migration ${version}, not ${migrations.length}.`)
    renameSync(unfinished, target)
    noteBackup(source, `${nowMs} ${target}`)
  } finally {
    source.close()
    rmSync(unfinished, { force: true })
  }
  return target
}

/** SQLite would only say that it cannot open a file, and name the database. */
function makeEmptyFile(directory: string, path: string): void {
  try {
    makePrivateFolder(directory)
    rmSync(path, { force: true })
    makePrivateFile(path)
  } catch (error) {
    throw new Error(`No backup can be written to ${directory}: ${reasonOf(error)}.`, { cause: error })
  }
}

/** A database that cannot be written keeps no note; the copy is good all the same. */
function noteBackup(source: Sqlite, note: string): void {
  try {
    const sql = 'insert into facts values (?, ?) on conflict do update set value = excluded.value'
    source.prepare(sql).run(lastBackupName, note)
  } catch (error) {
    if (findStoreError(error) === undefined) throw error
  }
}

/** Time and file of the last backup, no matter who made it; undefined if there is none. */
export async function lastBackup(keyValues: KeyValueTable) {
  const entry = await keyValues.get(lastBackupName)
  if (entry === undefined) return undefined
  const space = entry.indexOf(' ')
  return { atMs: Number(entry.slice(0, space)), path: entry.slice(space + 1) }
}

/** Opens a copy, throws if it is damaged, and returns the version of its tables. Leaves nothing beside it. */
function checkCopy(path: string): number {
  const copy = openSqlite(path)
  try {
    const result = copy.prepare<{ integrity_check: string }>('pragma integrity_check').get()?.integrity_check
    if (result !== 'ok') throw new Error(`The backup is damaged: ${result}`)
    return schemaVersion(copy)
  } finally {
    copy.exec('pragma journal_mode = delete')
    copy.close()
  }
}

/** Puts a checked copy in the database's place. Throws, and changes nothing, for a damaged copy or an open database. */
export function restore(copy: string, database: string, nowMs: number) {
  if (!existsSync(copy)) throw new Error(`There is no backup at ${copy}.`)
  if (!statSync(copy).isFile())
    throw new Error(`${copy} is no file. Name one of the files that backup wrote.`)
  const folder = `${database}.unfinished`
  const draft = join(folder, 'draft.sqlite')
  try {
    copyTo(copy, draft, database)
    refuseUnfit(copy, draft)
    const replaced = existsSync(database) ? `${database}.before-restore-${nowMs}` : undefined
    if (replaced !== undefined) moveAway(database, replaced)
    renameSync(draft, database)
    return replaced
  } finally {
    if (existsSync(folder)) rmSync(folder, { recursive: true })
  }
}

function copyTo(copy: string, draft: string, database: string): void {
  try {
    // Nobody else may look into the folder, because a copied file has the rights of its source at first.
    makePrivateFolder(dirname(database))
    const folder = dirname(draft)
    rmSync(folder, { recursive: true, force: true })
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

/** Throws for a file that is no whole backup of this version or an earlier one. */
function refuseUnfit(copy: string, draft: string): void {
  let version: number
  try {
    version = checkCopy(draft)
    if (version > 0 && version <= migrations.length) refuseForeignCode(draft)
  } catch (error) {
    const reason = findStoreError(error)?.summary.replace('the database', 'it') ?? reasonOf(error)
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

/** Throws where a file has triggers or views that no release made: they would run inside every transaction of ours. */
function refuseForeignCode(path: string): void {
  const database = openDriver(path)
  const released = openDriver(':memory:')
  try {
    database.exec('pragma trusted_schema = off')
    const unknown = codeOf(database)
    for (const migration of migrations) {
      released.exec(migration)
      for (const text of codeOf(released).keys()) unknown.delete(text)
    }
    if (unknown.size > 0)
      throw new Error(`it has ${[...unknown.values()].join(', ')}, which no release of Mintmark made`)
  } finally {
    database.close()
    released.close()
  }
}

/** Names of what is neither a table nor an index. SQLite runs the SQL of an entry whatever its type says. */
function codeOf(database: Driver): Map<string, string> {
  const all = database
    .prepare<{ type: string; name: string; sql: string | null }>('select type, name, sql from sqlite_schema')
    .all()
  const code = all.filter(({ type, sql }) => {
    if (type === 'table') return sql === null || !/^create (?:virtual )?table\b/i.test(sql)
    return type !== 'index' || (sql !== null && !/^create (?:unique )?index\b/i.test(sql))
  })
  return new Map(code.map(({ type, name, sql }) => [`${type} ${name} ${sql}`, `the ${type} ${name}`]))
}
