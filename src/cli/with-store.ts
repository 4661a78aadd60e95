import { existsSync } from 'node:fs'
import { type Config, readConfig } from '../config.ts'
import { systemClock } from '../lib/clock.ts'
import { databaseLocation, noDatabase } from '../store/database-location.ts'
import { refuseMoved } from '../store/key-values.ts'
import type { Store } from '../store/open.ts'
import { openDatabase } from '../store/open-database.ts'
import { readText } from './read-text.ts'
import type { Environment } from './runtime.ts'

/** Opens the database of an installation, whose servers may run, for as long as the work takes. */
export async function withStore(
  env: Environment,
  makesDatabase: boolean,
  work: (store: Store, config: Config) => Promise<void>,
): Promise<void> {
  const config = readConfig(env, readText)
  const location = databaseLocation(config)
  if (!makesDatabase && location.kind === 'sqlite' && !existsSync(location.path))
    throw new Error(noDatabase(location))
  const onError = (problem: unknown) => console.error(String(problem))
  const parts = { settings: config, clock: systemClock, readFile: readText, onError, onAway: onError }
  const store = await openDatabase(parts)
  try {
    await refuseMoved(store.keyValues)
    await work(store, config)
  } finally {
    await store.close()
  }
}
