import { addressBlock } from '../src/lib/address-block.ts'
import type { Clock } from '../src/lib/clock.ts'
import type { Store } from '../src/store/open.ts'

const windowMs = 15 * 60_000
const perAddressMax = 5
const overallMax = 50
const runningMax = 2

export type Admission =
  | { readonly admitted: true; done(succeeded: boolean): void }
  | { readonly admitted: false; readonly retryAfterSeconds: number }

export interface LoginThrottle {
  admit(address: string): Admission
}

export interface LoginThrottleDeps {
  readonly store: Pick<Store, 'loginAttempts' | 'transaction'>
  readonly clock: Clock
}

/**
 * Slows down guessing: five wrong passwords per address (IPv6: per /64) and fifty overall in a quarter of an hour, over all
 * processes that share the store, and two verifications at once in each, because each is work by design.
 *
 * An attempt is stored before the password is looked at and removed when it was right: so processes that check at the
 * same moment do not let more through together, and neither does one that dies meanwhile.
 */
export function createLoginThrottle({ store, clock }: LoginThrottleDeps): LoginThrottle {
  const { loginAttempts: attempts } = store
  let running = 0

  /** For how long the address has to wait, in ms; 0 when it may try now. */
  function waitMs(address: string, nowMs: number): number {
    const byAddress = recent(attempts.newest(address, perAddressMax), nowMs)
    const overall = recent(attempts.newest(undefined, overallMax), nowMs)
    const isFull = byAddress.length >= perAddressMax
    if (!isFull && overall.length < overallMax) return 0
    const [firstMs = nowMs] = isFull ? byAddress : overall
    return Math.min(windowMs, firstMs + windowMs - nowMs)
  }

  /** Stores the attempt, where no other process has stored the last possible one meanwhile. */
  function reserve(address: string): number | undefined {
    return store.transaction(() => {
      const nowMs = clock.now()
      if (waitMs(address, nowMs) > 0) return undefined
      attempts.keepBetween(nowMs - windowMs, nowMs + windowMs)
      return attempts.add(address, nowMs)
    })
  }

  return {
    admit(address) {
      const block = addressBlock(address)
      // A look before the write: whoever is locked out cannot make every process wait for the write lock.
      const waitBeforeMs = waitMs(block, clock.now())
      if (waitBeforeMs > 0) return refused(waitBeforeMs)
      if (running >= runningMax) return refused(1000)
      const id = reserve(block)
      if (id === undefined) return refused(waitMs(block, clock.now()))
      running++
      return {
        admitted: true,
        done(succeeded) {
          running--
          if (succeeded) attempts.remove(id)
        },
      }
    },
  }
}

/** What counts still. Clocks of machines differ a little; what is far in the future is of a clock that was set back. */
function recent(timesMs: readonly number[], nowMs: number): readonly number[] {
  return timesMs.filter((atMs) => atMs > nowMs - windowMs && atMs <= nowMs + windowMs)
}

function refused(waitMs: number): Admission {
  return { admitted: false, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) }
}
