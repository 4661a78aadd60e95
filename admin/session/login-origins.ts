import { addressBlock } from '../../src/lib/address-block.ts'
import type { Clock } from '../../src/lib/clock.ts'
import type { Store } from '../../src/store/open.ts'

/** Where a password comes from. */
export interface LoginOrigin {
  readonly address: string
  /** Of the session whose cookie the browser sent, whether it lives still or not. */
  readonly sessionId?: string | undefined
}

/** Whose wrong passwords are counted together. */
export interface AttemptBucket {
  readonly name: string
  /** The password was right from here before: what strangers do elsewhere does not count against it. */
  readonly isTrusted: boolean
}

export interface LoginOrigins {
  bucketOf(origin: LoginOrigin): AttemptBucket
  /** After a right password. */
  add(origin: LoginOrigin): void
}

/** An operator has a few; more are not worth the room. */
const trustedPerKindMax = 100

/**
 * Knows where the operator logged in before. A session's token cannot be guessed, so a browser that sends one, even
 * of a session that has ended, is counted by itself: not with its address either, which a stranger behind the same
 * proxy may share.
 */
export function createLoginOrigins(
  { loginOrigins: known, sessions }: Pick<Store, 'loginOrigins' | 'sessions'>,
  clock: Clock,
): LoginOrigins {
  return {
    bucketOf({ address, sessionId }) {
      if (sessionId !== undefined && (known.has('session', sessionId) || sessions.find(sessionId)))
        return { name: `session ${sessionId}`, isTrusted: true }
      const name = addressBlock(address)
      return { name, isTrusted: known.has('address', name) }
    },
    add({ address, sessionId }) {
      const nowMs = clock.now()
      known.add('address', addressBlock(address), nowMs, trustedPerKindMax)
      if (sessionId !== undefined) known.add('session', sessionId, nowMs, trustedPerKindMax)
    },
  }
}
