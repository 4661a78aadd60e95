import { addressBlock } from '../../src/lib/client-blocks.ts'
import type { Clock } from '../../src/lib/clock.ts'
import type { Store } from '../../src/store/open.ts'
import type { Steps } from '../../src/store/operation.ts'

/** The client that sends a password. */
export interface LoginOrigin {
  readonly address: string
  /** The session of the cookie that the browser sent, even if that session has ended. */
  readonly sessionId?: string | undefined
}

/** Clients whose wrong passwords are counted together. */
export interface AttemptBucket {
  readonly name: string
  /** The operator logged in from here before, so attempts from elsewhere do not count against it. */
  readonly isTrusted: boolean
}

export type LoginOrigins = ReturnType<typeof createLoginOrigins>

/** An operator has a few; the oldest are dropped. */
const trustedPerKindMax = 100

/**
 * Addresses and sessions from which the operator has logged in. A session token cannot be guessed, so a browser that
 * sends one is a bucket of its own, even if the session has ended. It is not counted with its address, because a
 * stranger behind the same proxy may share that.
 */
export function createLoginOrigins(
  { loginOrigins, sessions }: Pick<Store, 'loginOrigins' | 'sessions'>,
  clock: Clock,
) {
  return {
    async bucketOf({ address, sessionId }: LoginOrigin): Promise<AttemptBucket> {
      if (
        sessionId !== undefined &&
        ((await loginOrigins.has('session', sessionId)) || (await sessions.find(sessionId)))
      )
        return { name: `session ${sessionId}`, isTrusted: true }
      const name = addressBlock(address)
      return { name, isTrusted: await loginOrigins.has('address', name) }
    },
    /** Steps of a transaction. Trusts the origin from now on: the password was right. */
    *add({ address, sessionId }: LoginOrigin): Steps<void> {
      const nowMs = clock.now()
      yield* loginOrigins.add('address', addressBlock(address), nowMs, trustedPerKindMax)
      if (sessionId !== undefined) yield* loginOrigins.add('session', sessionId, nowMs, trustedPerKindMax)
    },
  }
}
