import { join } from 'node:path'

/** The settings that decide where the database is. */
interface DatabaseSettings {
  readonly DATABASE_URL: string | undefined
  readonly DATA_DIR: string
}

/** The path of the database file. Throws when the settings name a database of another kind. */
export function databasePath({ DATABASE_URL: url, DATA_DIR: directory }: DatabaseSettings): string {
  if (url === undefined) return join(directory, 'mintmark.sqlite')
  if (url.startsWith('sqlite:')) return url.slice('sqlite:'.length)
  throw new Error('DATABASE_URL: only sqlite:<path> is served by this version.')
}
