import { join } from 'node:path'
import type { Store } from '../store/open.ts'
import { hasMasterKey } from './master-key.ts'
import type { Secrets } from './secrets.ts'

const factName = 'master_key_fingerprint'

/**
 * Throws when the keys in the store were issued under another master key: every signature would be refused, and
 * nobody would know why. To be called at the start.
 */
export function checkMasterKey({ keyValues, keys, transaction }: Store, { fingerprint }: Secrets): void {
  transaction(() => {
    if (keyValues.setOnce(factName, fingerprint) === fingerprint) return
    if (keys.issued() > 0) {
      throw new Error(
        'The master key is not the one that this database was made with. Restore master.key or MASTER_KEY.',
      )
    }
    keyValues.set(factName, fingerprint)
  })
}

/**
 * Throws when the keys in the store, or what payers hold, were made under a master key whose file is gone. To be called
 * before a new one is made: it would take the place in which the right one has to be put back.
 */
export function refuseLostMasterKey(
  store: Pick<Store, 'keyValues' | 'keys' | 'paymentList'>,
  directory: string,
): void {
  const isNeeded = store.keys.issued() > 0 || store.paymentList.newest('any', 1).length > 0
  if (store.keyValues.get(factName) === undefined || !isNeeded || hasMasterKey(directory)) return
  throw new Error(
    `${join(directory, 'master.key')} is missing (DATA_DIR), and the database has keys or payments that were made with it. Put it back from your backup, or set MASTER_KEY. Nothing was written in its place.`,
  )
}
