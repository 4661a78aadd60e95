import { LRUCache } from 'lru-cache'
import { addressBlock } from '../src/lib/address-block.ts'
import type { Clock } from '../src/lib/clock.ts'

const windowMs = 15 * 60_000
const mostPerAddress = 5
const mostOverall = 50
const mostAtOnce = 2

export type Admission =
  | { readonly admitted: true; done(succeeded: boolean): void }
  | { readonly admitted: false; readonly retryAfterSeconds: number }

export interface LoginThrottle {
  admit(address: string): Admission
}

/**
 * Slows down guessing: five wrong passwords per address (IPv6: per /64) and fifty overall in a quarter of an hour, and two
 * verifications at once, because each is work by design.
 */
export function createLoginThrottle(clock: Clock): LoginThrottle {
  const failures = new LRUCache<string, readonly number[]>({ max: 10_000 })
  let running = 0

  const recent = (who: string) => (failures.get(who) ?? []).filter((atMs) => clock.now() - atMs < windowMs)
  const fail = (who: string, most: number) => failures.set(who, [...recent(who), clock.now()].slice(-most))

  return {
    admit(address) {
      const who = `address ${addressBlock(address)}`
      const byAddress = recent(who)
      const overall = recent('all')
      const full =
        byAddress.length >= mostPerAddress ? byAddress : overall.length >= mostOverall ? overall : undefined
      if (full) {
        const untilMs = (full[0] ?? clock.now()) + windowMs - clock.now()
        return { admitted: false, retryAfterSeconds: Math.max(1, Math.ceil(untilMs / 1000)) }
      }
      if (running >= mostAtOnce) return { admitted: false, retryAfterSeconds: 1 }
      running++
      return {
        admitted: true,
        done(succeeded) {
          running--
          if (succeeded) return
          fail(who, mostPerAddress)
          fail('all', mostOverall)
        },
      }
    },
  }
}
