import { isWithin } from '../../src/lib/clock.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import type { AdminDeps } from '../deps.ts'
import type { Session } from './sessions.ts'

const validMs = 600_000

export type OneTimeSecrets = ReturnType<typeof createOneTimeSecrets>

/**
 * Lets the session that made a key see its secret once, within ten minutes. The permission is in the store: another
 * process than the one that made the key may serve its page.
 */
export function createOneTimeSecrets({ store, secrets, clock }: AdminDeps) {
  const { keyValues } = store

  function entryName(keyId: string) {
    return `reveal ${keyId}`
  }
  return {
    allow: ({ id }: Session, keyId: string) => keyValues.set(entryName(keyId), `${id} ${clock.now()}`),
    /** The secret, at the first call by the session that made the key; undefined afterwards. */
    async take(session: Session, key: KeyRow): Promise<string | undefined> {
      const entry = (await keyValues.get(entryName(key.id))) ?? ''
      const [sessionId, atMs] = entry.split(' ')
      if (sessionId !== session.id) return undefined
      // `removeIf` succeeds for one caller only, even when several servers ask at the same moment.
      if (!(await keyValues.removeIf(entryName(key.id), entry))) return undefined
      return isWithin(Number(atMs), clock.now(), validMs) ? secrets.secretOf(key.id, key.version) : undefined
    },
  }
}
