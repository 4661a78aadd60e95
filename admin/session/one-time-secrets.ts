import type { Secrets } from '../../src/access/secrets.ts'
import { type Clock, isWithin } from '../../src/lib/clock.ts'
import type { KeyValueTable } from '../../src/store/key-values.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import type { Session } from './sessions.ts'

const validMs = 600_000

/** Lets one look at a key's page show its secret: by the session that made it, once, within ten minutes. */
export interface OneTimeSecrets {
  allow(session: Session, keyId: string): void
  /** The secret, if this look may show it. */
  take(session: Session, key: KeyRow): string | undefined
}

/** Kept in the store, since the page may be served by another process than the one that made the key. */
export function createOneTimeSecrets(
  keyValues: KeyValueTable,
  secrets: Pick<Secrets, 'secretOf'>,
  clock: Clock,
): OneTimeSecrets {
  function nameOf(keyId: string) {
    return `reveal ${keyId}`
  }
  return {
    allow: ({ id }, keyId) => keyValues.set(nameOf(keyId), `${id} ${clock.now()}`),
    take(session, key) {
      const [sessionId, atMs] = (keyValues.get(nameOf(key.id)) ?? '').split(' ')
      if (sessionId !== session.id) return undefined
      keyValues.remove(nameOf(key.id))
      return isWithin(Number(atMs), clock.now(), validMs) ? secrets.secretOf(key.id, key.version) : undefined
    },
  }
}
