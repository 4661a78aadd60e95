import { existsSync } from 'node:fs'
import { type CardBrands, noBrands } from '../assets/og/brand/card-brand.ts'
import { createBrandDirectory, createBrandLoader, createCardBrands } from '../brands/brand-directory.ts'
import { type Config, readConfig } from '../config.ts'
import { systemClock } from '../lib/clock.ts'
import { databaseLocation, noDatabase } from '../store/database-location.ts'
import { refuseMoved } from '../store/key-values.ts'
import type { Store } from '../store/open.ts'
import { openDatabase, openForReading } from '../store/open-database.ts'
import type { ReadTables } from '../store/tables.ts'
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

export type StoredBrands = Awaited<ReturnType<typeof openStoredBrands>>

/** The brands of the installation that DATA_DIR and DATABASE_URL name. Its servers may run: nothing is written. */
export async function openStoredBrands(env: Environment) {
  const settings = readConfig(env, readText)
  const location = databaseLocation(settings)
  if (location.kind === 'sqlite' && !existsSync(location.path)) {
    const name = `${location.path} (${location.setting})`
    const missing = `must be a folder with a brand.json, or a brand of a database, and there is no ${name}`
    const brands: CardBrands = { ...noBrands, resolve: () => missing }
    return { brands, isThere: false, close: () => {} }
  }
  const { tables, close } = await openForReading(settings, readText)
  try {
    await refuseMoved(tables.keyValues)
    return { brands: await storedBrands(tables.brands), isThere: true, close }
  } catch (error) {
    close()
    throw error
  }
}

export async function storedBrands(brands: ReadTables['tables']['brands']): Promise<CardBrands> {
  const directory = createBrandDirectory({ brands, changes: { followBrands: () => {} } })
  await directory.refresh()
  const changes = { ageMs: () => 0, check: async () => {} }
  return createCardBrands(directory, createBrandLoader({ brands }), changes, () => {})
}
