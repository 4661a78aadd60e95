import { join } from 'node:path'
import type { Store } from '../store/open.ts'
import { hasMasterKey } from './master-key.ts'
import type { Secrets } from './secrets.ts'

const fingerprintName = 'master_key_fingerprint'

/**
 * Throws when the keys in the store were issued under another master key: every signature would be refused, and
 * nothing would say why. To be called at the start.
 */
export function checkMasterKey({ keyValues, keys, transaction }: Store, { fingerprint }: Secrets): void {
  transaction(() => {
    if (keyValues.setOnce(fingerprintName, fingerprint) === fingerprint) return
    if (keys.issued() > 0) {
      throw new Error(
        'The master key is not the one that this database was made with. Restore master.key or MASTER_KEY.',
      )
    }
    keyValues.set(fingerprintName, fingerprint)
  })
}

/**
 * Throws when the master key's file is gone and the store has keys or payments that need it. To be called before a new
 * master key is made, which would take the place of the lost one.
 */
export function refuseLostMasterKey(
  store: Pick<Store, 'keyValues' | 'keys' | 'paymentList'>,
  directory: string,
): void {
  const isNeeded = store.keys.issued() > 0 || store.paymentList.newest('any', 1).length > 0
  if (store.keyValues.get(fingerprintName) === undefined || !isNeeded || hasMasterKey(directory)) return
  throw new Error(
    `${join(directory, 'master.key')} is missing (DATA_DIR), and the database has keys or payments that were made with it. Put it back from your backup, or set MASTER_KEY. Nothing was written in its place.`,
  )
}
