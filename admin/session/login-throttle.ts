import { addressBlock } from '../../src/lib/client-addresses.ts'
import type { Clock } from '../../src/lib/clock.ts'
import type { Steps } from '../../src/store/database.ts'
import type { Store } from '../../src/store/open.ts'
import { findStoreError } from '../../src/store/store-error.ts'
import type { AdminDeps } from '../deps.ts'

const windowMs = 15 * 60_000
const attemptsPerBucketMax = 5
const attemptsInAllMax = 50
const runningMax = 2

export type Admission =
  | { readonly admitted: true; done(succeeded: boolean): Promise<void> }
  | { readonly admitted: false; readonly retryAfterSeconds: number }

/**
 * Rate limit of password attempts: five wrong ones in 15 minutes per bucket (an address, for IPv6 its /64 network, or
 * a session), and fifty over all untrusted buckets, counted over all processes that share the store. Trusted buckets
 * are exempt from the overall limit, so strangers cannot lock the operator out. Hashing a password is slow by design:
 * in each process two verifications run at once for trusted buckets and two for the others.
 *
 * An attempt is stored before the password is verified and removed if it was right. So neither processes that verify
 * at the same moment nor one that dies meanwhile let more attempts through.
 */
export function createLoginThrottle({ store, clock }: Pick<AdminDeps, 'store' | 'clock'>) {
  const { loginAttempts: attempts } = store
  const running = { trusted: 0, untrusted: 0 }

  function* waitMs({ name, isTrusted }: AttemptBucket, nowMs: number): Steps<number> {
    const own = recent(yield* attempts.newest(name, attemptsPerBucketMax), nowMs)
    if (own.length >= attemptsPerBucketMax) return untilFreeMs(own, nowMs)
    const overall = isTrusted ? [] : recent(yield* attempts.newest(undefined, attemptsInAllMax), nowMs)
    return overall.length < attemptsInAllMax ? 0 : untilFreeMs(overall, nowMs)
  }

  function waitNow(bucket: AttemptBucket): Promise<number> {
    return store.transaction(() => waitMs(bucket, clock.now()))
  }

  /** Stores the attempt; undefined if another process has used up the limit meanwhile. */
  function reserve(bucket: AttemptBucket): Promise<number | undefined> {
    function* add(): Steps<number | undefined> {
      const nowMs = clock.now()
      if ((yield* waitMs(bucket, nowMs)) > 0) return undefined
      yield* attempts.keepBetween(nowMs - windowMs, nowMs + windowMs)
      return yield* attempts.add(bucket.name, nowMs)
    }
    return store.transaction(add, { locks: ['login attempts'] })
  }

  /** The password was right, so a failing store must not refuse the login: the removal is tried again later. */
  async function removeAttempt(id: number): Promise<void> {
    try {
      await attempts.remove(id)
    } catch (error) {
      if (findStoreError(error) === undefined) throw error
      void store.deferred.add(() => attempts.remove(id))
    }
  }

  return {
    async admit(bucket: AttemptBucket): Promise<Admission> {
      const kind = bucket.isTrusted ? 'trusted' : 'untrusted'
      // Reads before it writes: a locked-out client cannot make every process wait for the write lock.
      const waitBeforeMs = await waitNow(bucket)
      if (waitBeforeMs > 0) return refused(waitBeforeMs)
      if (running[kind] >= runningMax) return refused(1000)
      running[kind]++
      const id = await reserve(bucket).catch((error: unknown) => {
        running[kind]--
        throw error
      })
      if (id === undefined) {
        running[kind]--
        return refused(await waitNow(bucket))
      }
      return {
        admitted: true,
        async done(succeeded) {
          running[kind]--
          if (succeeded) await removeAttempt(id)
        },
      }
    },
  }
}

function untilFreeMs([firstMs = 0]: readonly number[], nowMs: number): number {
  return Math.min(windowMs, firstMs + windowMs - nowMs)
}

/** The attempts within the window. Clocks of machines differ a little; one far in the future is from a clock that was set back. */
function recent(timesMs: readonly number[], nowMs: number): readonly number[] {
  return timesMs.filter((atMs) => atMs > nowMs - windowMs && atMs <= nowMs + windowMs)
}

function refused(waitMs: number): Admission {
  return { admitted: false, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) }
}

export interface LoginOrigin {
  readonly address: string
  /** The session of the cookie that the browser sent, even if that session has ended. */
  readonly sessionId?: string | undefined
}

interface AttemptBucket {
  readonly name: string
  /** The operator logged in from here before, so attempts from elsewhere do not count against it. */
  readonly isTrusted: boolean
}

export type LoginOrigins = ReturnType<typeof createLoginOrigins>

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
