import type { Clock } from '../../src/lib/clock.ts'
import type { Store } from '../../src/store/open.ts'
import { findStoreError } from '../../src/store/store-error.ts'
import type { AttemptBucket } from './login-origins.ts'

const windowMs = 15 * 60_000
const perBucketMax = 5
const overallMax = 50
const runningMax = 2

export type Admission =
  | { readonly admitted: true; done(succeeded: boolean): void }
  | { readonly admitted: false; readonly retryAfterSeconds: number }

export interface LoginThrottle {
  admit(bucket: AttemptBucket): Admission
}

export interface LoginThrottleDeps {
  readonly store: Pick<Store, 'deferred' | 'loginAttempts' | 'transaction'>
  readonly clock: Clock
}

/**
 * Slows down guessing: five wrong passwords in a quarter of an hour for each bucket (an address, of IPv6 its /64
 * network, or a session that is known), and fifty for all that are not known together, over all processes that share
 * the store. Who logged in before is not held up by strangers. Two verifications run at once in each process, because
 * each is work by design, and two of those who are known.
 *
 * An attempt is stored before the password is looked at and removed when it was right: so processes that check at the
 * same moment do not let more through together, and neither does one that dies meanwhile.
 */
export function createLoginThrottle({ store, clock }: LoginThrottleDeps): LoginThrottle {
  const { loginAttempts: attempts } = store
  const running = { known: 0, unknown: 0 }

  /** For how long the bucket has to wait, in ms; 0 when it may try now. */
  function waitMs({ name, isTrusted: isKnown }: AttemptBucket, nowMs: number): number {
    const own = recent(attempts.newest(name, perBucketMax), nowMs)
    if (own.length >= perBucketMax) return untilFreeMs(own, nowMs)
    const overall = isKnown ? [] : recent(attempts.newest(undefined, overallMax), nowMs)
    return overall.length < overallMax ? 0 : untilFreeMs(overall, nowMs)
  }

  /** Stores the attempt, where no other process has stored the last possible one meanwhile. */
  function reserve(bucket: AttemptBucket): number | undefined {
    return store.transaction(() => {
      const nowMs = clock.now()
      if (waitMs(bucket, nowMs) > 0) return undefined
      attempts.keepBetween(nowMs - windowMs, nowMs + windowMs)
      return attempts.add(bucket.name, nowMs)
    })
  }

  /** The right password was given: this must not fail it. */
  function removeAttempt(id: number): void {
    try {
      attempts.remove(id)
    } catch (error) {
      if (findStoreError(error) === undefined) throw error
      void store.deferred.add(() => attempts.remove(id))
    }
  }

  return {
    admit(bucket) {
      const kind = bucket.isTrusted ? 'known' : 'unknown'
      // A look before the write: whoever is locked out cannot make every process wait for the write lock.
      const waitBeforeMs = waitMs(bucket, clock.now())
      if (waitBeforeMs > 0) return refused(waitBeforeMs)
      if (running[kind] >= runningMax) return refused(1000)
      const id = reserve(bucket)
      if (id === undefined) return refused(waitMs(bucket, clock.now()))
      running[kind]++
      return {
        admitted: true,
        done(succeeded) {
          running[kind]--
          if (succeeded) removeAttempt(id)
        },
      }
    },
  }
}

function untilFreeMs([firstMs = 0]: readonly number[], nowMs: number): number {
  return Math.min(windowMs, firstMs + windowMs - nowMs)
}

/** What counts still. Clocks of machines differ a little; what is far in the future is of a clock that was set back. */
function recent(timesMs: readonly number[], nowMs: number): readonly number[] {
  return timesMs.filter((atMs) => atMs > nowMs - windowMs && atMs <= nowMs + windowMs)
}

function refused(waitMs: number): Admission {
  return { admitted: false, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) }
}
