import { dirname, join } from 'node:path'
import { fingerprintName, parseMasterKey, readMasterKey } from '../../access/master-key.ts'
import { createSecrets } from '../../access/secrets.ts'
import type { Config } from '../../config.ts'
import type { MoveSide } from '../../store/move/move-side.ts'

/** The key that every secret of the moved keys is derived from. */
export interface FoundMasterKey {
  readonly key: Uint8Array
  /** Where it was found: a setting or the path of a file. */
  readonly place: string
}

/**
 * Finds the master key that a database was made with; undefined where none was used yet. Rejects where it is missing:
 * servers on the new database would refuse every caller's key.
 */
export async function findMasterKey(
  source: Pick<MoveSide, 'fact' | 'name'>,
  { MASTER_KEY: given, DATA_DIR }: Pick<Config, 'MASTER_KEY' | 'DATA_DIR'>,
): Promise<FoundMasterKey | undefined> {
  const fingerprint = await source.fact(fingerprintName)
  if (fingerprint === undefined) return undefined
  const directories = [
    ...(source.name.startsWith('sqlite:') ? [dirname(source.name.slice(7))] : []),
    DATA_DIR,
  ]
  const places = [
    { place: 'MASTER_KEY', key: given === undefined ? undefined : parseMasterKey(given) },
    ...directories.map((each) => ({ place: join(each, 'master.key'), key: readMasterKey(each) })),
  ]
  for (const { place, key } of places)
    if (key !== undefined && createSecrets(key).fingerprint === fingerprint) return { place, key }
  const looked = [...new Set(places.map(({ place }) => place))].join(', ')
  throw new Error(
    `The master key that ${source.name} was made with is in none of ${looked}. Without it servers would refuse all your keys. Set MASTER_KEY, or DATA_DIR to the folder of master.key. Nothing was changed.`,
  )
}
