import { existsSync } from 'node:fs'
import { createKeyChanges, type KeyChange } from '../../../admin/keys/key-changes.ts'
import type { KeyMistake } from '../../../admin/keys/key-fields.ts'
import { createKeys } from '../../access/keys.ts'
import { checkMasterKey, masterKeyOf } from '../../access/master-key.ts'
import { createSecrets } from '../../access/secrets.ts'
import { createBrandDirectory } from '../../brands/brand-directory.ts'
import { createBrandLoader, createCardBrands } from '../../brands/brand-loader.ts'
import { type Config, readConfig } from '../../config.ts'
import { systemClock } from '../../lib/clock.ts'
import { databaseLocation, noDatabase } from '../../store/database-location.ts'
import { refuseMoved } from '../../store/key-values.ts'
import type { Store } from '../../store/open.ts'
import { openDatabase } from '../../store/open-database.ts'
import type { Steps } from '../../store/operation.ts'
import { retryWhileLocked } from '../../store/retry-while-locked.ts'
import { readText } from '../read-text.ts'
import type { Environment } from '../runtime.ts'

export type KeyChanges = ReturnType<typeof createKeyChanges>

/** The keys of an installation, whose servers may run. */
export interface OpenKeys {
  readonly config: Config
  readonly store: Store
  /** Returns why cards cannot have this brand, going on after its name; undefined if they can. */
  readonly brandFault: (reference: string) => string | undefined
  /** Makes a change and its entry in the audit log. Throws where there is no such key, or it cannot have that. */
  change(work: (changes: KeyChanges) => Steps<KeyChange | KeyMistake | undefined>): Promise<KeyChange>
}

/** Who the audit log says has made the changes. */
const author = { actor: 'mintmark key', address: 'local' } as const

/** @param makesDatabase whether the database is made where there is none yet */
export async function withKeys(
  env: Environment,
  work: (keys: OpenKeys) => Promise<void>,
  makesDatabase = false,
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
    const brandFault = await readBrands(store)
    await work({ config, store, brandFault, change: await createChange(config, store, brandFault) })
  } finally {
    await store.close()
  }
}

async function createChange(
  config: Config,
  store: Store,
  brandFault: OpenKeys['brandFault'],
): Promise<OpenKeys['change']> {
  const secrets = createSecrets(await masterKeyOf(config, store))
  await checkMasterKey(store, secrets)
  const clock = systemClock
  const { keys: table, signedAddresses } = store
  const keys = createKeys({ table, signedAddresses, secrets, clock })
  const changes = createKeyChanges({ keys, clock, config, brandFault })
  return async (work) => {
    function* audited(): Steps<KeyChange | KeyMistake | undefined> {
      const outcome = yield* work(changes)
      if (outcome === undefined || 'mistake' in outcome) return outcome
      const { key, action, detail = '' } = outcome
      yield* store.audit.add({ ...author, atMs: clock.now(), action, subject: key.id, detail })
      return outcome
    }
    const outcome = await retryWhileLocked(() =>
      store.transaction(audited, { durable: true, locks: ['operator'] }),
    )
    if (outcome === undefined) throw noSuchKey()
    if ('mistake' in outcome) throw new Error(outcome.mistake)
    return outcome
  }
}

export function noSuchKey(): Error {
  return new Error('There is no such key. "mintmark key list" prints all.')
}

async function readBrands(store: Store): Promise<OpenKeys['brandFault']> {
  const directory = createBrandDirectory(store)
  await directory.refresh()
  const loader = createBrandLoader(store)
  const { resolve } = createCardBrands({ directory, loader, changes: store.changes, count: () => {} })
  return (reference) => {
    const resolved = resolve(reference)
    return typeof resolved === 'string' ? resolved : undefined
  }
}
