import { openDriver } from '#sqlite'
import { type DatabaseSettings, databaseLocation } from './database-location.ts'
import { migrations } from './migrations.ts'
import type { ReadTables } from './read-tables.ts'
import type { Driver } from './sqlite/driver/driver.ts'
import { createSqliteDatabase } from './sqlite/sqlite-database.ts'
import { asStoreError, type DatabaseFile, storeError } from './store-error.ts'
import { createTables } from './tables.ts'

/**
 * Opens a database of which nothing is written, and whose schema is not changed. Rejects with an error for the operator, also
 * where another version of this program has made the tables.
 */
export async function openForReading(
  settings: DatabaseSettings,
  readFile: (path: string) => string,
): Promise<ReadTables> {
  const location = databaseLocation(settings)
  if (location.kind === 'sqlite') return openSqliteFile(location)
  // The driver is loaded only where it is needed.
  const { readPostgres } = await import('./postgres/read-postgres.ts')
  return await readPostgres(location.url, readFile)
}

const lockPatienceMs = 2_000

function openSqliteFile(file: DatabaseFile): ReadTables {
  let database: Driver | undefined
  try {
    database = openDriver(file.path, { readOnly: true })
    database.exec(`pragma busy_timeout = ${lockPatienceMs}`)
    refuseOtherVersion(database, file)
    const tables = createTables(createSqliteDatabase(reading(database)))
    return { tables, close: () => database?.close() }
  } catch (error) {
    database?.close()
    throw asStoreError(error, file)
  }
}

function reading(database: Driver) {
  return {
    prepare<Row>(sql: string) {
      return { ...database.prepare<Row>(sql), run: refuseWrite }
    },
    transaction: refuseWrite,
  }
}

function refuseWrite(): never {
  throw new Error('The database was opened to be read.')
}

function refuseOtherVersion(database: Driver, file: DatabaseFile): void {
  const version = database.prepare<{ user_version: number }>('pragma user_version').get()?.user_version ?? 0
  if (version > migrations.length) throw storeError('newer', file)
  if (version < migrations.length)
    throw new Error(
      `The database ${file.path} (${file.setting}) was written by an older version of Mintmark. Start a server of this version once, which brings its tables up to date.`,
    )
}
