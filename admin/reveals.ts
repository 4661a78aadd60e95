import type { Secrets } from '../src/access/secrets.ts'
import { type Clock, isWithin } from '../src/lib/clock.ts'
import type { FactTable } from '../src/store/facts.ts'
import type { KeyRow } from '../src/store/keys.ts'
import type { Session } from './session.ts'

const revealMs = 600_000

/** Lets one look at a key's page show its secret: by the session that made it, once, within ten minutes. */
export interface Reveals {
  allow(session: Session, keyId: string): void
  /** The secret, if this look may show it. */
  take(session: Session, key: KeyRow): string | undefined
}

/** Kept in the store, since the page may be served by another process than the one that made the key. */
export function createReveals(facts: FactTable, secrets: Pick<Secrets, 'secretOf'>, clock: Clock): Reveals {
  const nameOf = (keyId: string) => `reveal ${keyId}`
  return {
    allow: ({ id }, keyId) => facts.set(nameOf(keyId), `${id} ${clock.now()}`),
    take(session, key) {
      const [sessionId, atMs] = (facts.get(nameOf(key.id)) ?? '').split(' ')
      if (sessionId !== session.id) return undefined
      facts.remove(nameOf(key.id))
      return isWithin(Number(atMs), clock.now(), revealMs) ? secrets.secretOf(key.id, key.version) : undefined
    },
  }
}
