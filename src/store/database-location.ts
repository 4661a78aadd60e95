import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

export interface DatabaseSettings {
  readonly DATABASE_URL: string | undefined
  readonly DATA_DIR: string
}

/** A file on this machine, or a server that several machines may share. */
export type DatabaseLocation =
  | {
      readonly kind: 'sqlite'
      readonly path: string
      readonly setting: 'DATA_DIR' | 'DATABASE_URL'
    }
  | {
      readonly kind: 'postgres'
      /** With user and password: for no message and no log. */
      readonly url: string
    }

export function noDatabase({ path, setting }: Extract<DatabaseLocation, { kind: 'sqlite' }>): string {
  return `There is no database at ${path}. Set ${setting} as for the server, or type this in the folder where it runs.`
}

export function databaseLocation({
  DATABASE_URL: url,
  DATA_DIR: directory,
}: DatabaseSettings): DatabaseLocation {
  if (url === undefined)
    return { kind: 'sqlite', path: join(directory, 'mintmark.sqlite'), setting: 'DATA_DIR' }
  if (!url.startsWith('sqlite:')) return { kind: 'postgres', url }
  return { kind: 'sqlite', path: url.slice('sqlite:'.length), setting: 'DATABASE_URL' }
}

/** @param instead what does the same to a database of PostgreSQL, for the error */
export function databasePath(settings: DatabaseSettings, instead: string): string {
  const location = databaseLocation(settings)
  if (location.kind === 'sqlite') return location.path
  throw new Error(`DATABASE_URL names a PostgreSQL database, and this works on a SQLite file. ${instead}`)
}

/** For this user alone. A mode that is set after the folder is made leaves a moment in which others may read. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
}

/** For this user alone. SQLite gives the file's mode to those that it makes beside it. */
export function makePrivateFile(path: string): void {
  if (existsSync(path)) return
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    // Another process was quicker.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** The mode of a file or folder that other users of the machine have rights to, such as `755`; undefined for any other. */
export function modeOpenToOthers(path: string): string | undefined {
  if (process.platform === 'win32') return undefined
  const mode = (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777
  return (mode & 0o077) === 0 ? undefined : mode.toString(8)
}
