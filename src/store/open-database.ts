import type { Clock } from '../lib/clock.ts'
import { type DatabaseSettings, databaseLocation } from './database-location.ts'
import { openStore, type Store } from './open.ts'

interface DatabaseDeps {
  readonly settings: DatabaseSettings & { readonly MASTER_KEY: string | undefined }
  readonly clock: Clock
  /** Reads the root certificate that the URL of a PostgreSQL server names. */
  readonly readFile: (path: string) => string
  /** Called with the error of a deferred write that can never succeed and was given up. */
  readonly onError: (error: unknown) => void
  /** Called with the last error each time that the database server goes away. */
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
