import { existsSync } from 'node:fs'
import { type CardBrands, noBrands } from '../../assets/og/brand/card-brand.ts'
import { createBrandDirectory, createBrandLoader, createCardBrands } from '../../brands/brand-directory.ts'
import { readConfig } from '../../config.ts'
import { databaseLocation } from '../../store/database-location.ts'
import { refuseMoved } from '../../store/key-values.ts'
import { openForReading } from '../../store/open-database.ts'
import type { ReadTables } from '../../store/tables.ts'
import { readText } from '../read-text.ts'
import type { Environment } from '../runtime.ts'

export interface StoredBrands {
  readonly brands: CardBrands
  readonly isThere: boolean
  close(): void
}

/** The brands of the installation that DATA_DIR and DATABASE_URL name. Its servers may run: nothing is written. */
export async function openStoredBrands(env: Environment): Promise<StoredBrands> {
  const settings = readConfig(env, readText)
  const location = databaseLocation(settings)
  if (location.kind === 'sqlite' && !existsSync(location.path)) {
    const name = `${location.path} (${location.setting})`
    const missing = `must be a folder with a brand.json, or a brand of a database, and there is no ${name}`
    return { brands: { ...noBrands, resolve: () => missing }, isThere: false, close: () => {} }
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
