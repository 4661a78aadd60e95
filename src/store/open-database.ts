import { openDriver } from '#sqlite'
import type { Clock } from '../lib/clock.ts'
import { type DatabaseSettings, databaseLocation } from './database-location.ts'
import { openStore, type Store } from './open.ts'
import type { Driver } from './sqlite/driver/driver.ts'
import { createSqliteDatabase } from './sqlite/sqlite-database.ts'
import { refuseOtherVersion } from './sqlite.ts'
import { asStoreError, type DatabaseFile } from './store-error.ts'
import { createTables, type ReadTables } from './tables.ts'

interface DatabaseDeps {
  readonly settings: DatabaseSettings & { readonly MASTER_KEY: string | undefined }
  readonly clock: Clock
  readonly readFile: (path: string) => string
  readonly onError: (error: unknown) => void
  readonly onAway: (problem: unknown) => void
}

/** Opens the store that the settings name, and brings its tables up to date. Rejects with an error for the operator. */
export async function openDatabase({ settings, ...deps }: DatabaseDeps): Promise<Store> {
  const location = databaseLocation(settings)
  if (location.kind === 'sqlite') return openStore({ ...location, ...deps })
  // The driver is loaded only where it is needed.
  const { openPostgres } = await import('./postgres/open-postgres.ts')
  return await openPostgres({ url: location.url, hasMasterKey: settings.MASTER_KEY !== undefined, ...deps })
}

/** Opens a database to be read. Rejects with an error for the operator, also for another schema. */
export async function openForReading(settings: DatabaseSettings, readFile: (path: string) => string) {
  const location = databaseLocation(settings)
  if (location.kind === 'sqlite') return openSqliteFile(location)
  const { readPostgres } = await import('./postgres/open-postgres.ts')
  return await readPostgres(location.url, readFile)
}

const lockPatienceMs = 2_000

function openSqliteFile(file: DatabaseFile): ReadTables {
  let database: Driver | undefined
  try {
    database = openDriver(file.path, { readOnly: true })
    database.exec(`pragma busy_timeout = ${lockPatienceMs}`)
    refuseOtherVersion(database, file)
    const reader: Driver = database
    const prepare = <Row>(sql: string) => ({ ...reader.prepare<Row>(sql), run: refuseWrite })
    const tables = createTables(createSqliteDatabase({ prepare, transaction: refuseWrite }))
    return { tables, close: () => database?.close() }
  } catch (error) {
    database?.close()
    throw asStoreError(error, file)
  }
}

function refuseWrite(): never {
  throw new Error('The database was opened to be read.')
}
