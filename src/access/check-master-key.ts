import type { Store } from '../store/open.ts'
import type { Secrets } from './secrets.ts'

const factName = 'master_key_fingerprint'

/**
 * Throws when the keys in the store were issued under another master key: every signature would be refused, and
 * nobody would know why. To be called at the start.
 */
export function checkMasterKey({ facts, keys, transaction }: Store, { fingerprint }: Secrets): void {
  transaction(() => {
    if (facts.setOnce(factName, fingerprint) === fingerprint) return
    if (keys.count() > 0) {
      throw new Error(
        'The master key is not the one that this database was made with. Restore master.key or MASTER_KEY.',
      )
    }
    facts.set(factName, fingerprint)
  })
}
