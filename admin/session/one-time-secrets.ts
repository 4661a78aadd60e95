import type { Secrets } from '../../src/access/secrets.ts'
import { type Clock, isWithin } from '../../src/lib/clock.ts'
import type { KeyValueTable } from '../../src/store/key-values.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import type { Session } from './sessions.ts'

const validMs = 600_000

/** Lets the session that made a key see its secret once, within ten minutes. */
export interface OneTimeSecrets {
  allow(session: Session, keyId: string): void
  /** The secret, at the first call by the session that made the key; undefined afterwards. */
  take(session: Session, key: KeyRow): string | undefined
}

/** The permission is in the store: another process than the one that made the key may serve its page. */
export function createOneTimeSecrets(
  keyValues: KeyValueTable,
  secrets: Pick<Secrets, 'secretOf'>,
  clock: Clock,
): OneTimeSecrets {
  function entryName(keyId: string) {
    return `reveal ${keyId}`
  }
  return {
    allow: ({ id }, keyId) => keyValues.set(entryName(keyId), `${id} ${clock.now()}`),
    take(session, key) {
      const [sessionId, atMs] = (keyValues.get(entryName(key.id)) ?? '').split(' ')
      if (sessionId !== session.id) return undefined
      keyValues.remove(entryName(key.id))
      return isWithin(Number(atMs), clock.now(), validMs) ? secrets.secretOf(key.id, key.version) : undefined
    },
  }
}
