import { addressBlock } from '../../lib/client-blocks.ts'
import { OutcomeUnknown } from '../outcome-unknown.ts'

/** Payments that the callers of one address may wait for at the same time. */
export const waitsPerAddressMax = 8
/** A wait may be ended after this time when another payment of the address needs its place. */
const turnMs = 2_000
const retryAfterSeconds = 1

interface Place {
  readonly startedMs: number
  /** The callers who wait here: all of one address, all for one payment. */
  readonly callers: Set<() => void>
}

interface WaitPlacesOptions {
  /** Called each time an address is refused a place. */
  readonly onFull?: () => void
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number
}

export type WaitPlaces = ReturnType<typeof createWaitPlaces>

/**
 * Bounds the waits of each client address (IPv6 by /64). Callers who wait for one payment share a place. An address
 * whose places are taken gets one as soon as the oldest of them is two seconds old: its callers are answered 503.
 */
export function createWaitPlaces({
  onFull = () => {},
  now = () => performance.now(),
}: WaitPlacesOptions = {}) {
  const addresses = new Map<string, Map<string, Place>>()

  function placeFor(address: string, payment: string): Place | undefined {
    const places = addresses.get(address) ?? new Map<string, Place>()
    const shared = places.get(payment)
    if (shared !== undefined) return shared
    if (places.size >= waitsPerAddressMax && !endOldest(places)) return undefined
    const place: Place = { startedMs: now(), callers: new Set() }
    addresses.set(address, places.set(payment, place))
    return place
  }

  /** Ends the oldest wait if it had its turn. A Map keeps the order in which the waits began. */
  function endOldest(places: Map<string, Place>): boolean {
    const [oldest] = places
    if (oldest === undefined || now() - oldest[1].startedMs < turnMs) return false
    places.delete(oldest[0])
    for (const end of oldest[1].callers) end()
    return true
  }

  function leave(address: string, payment: string, place: Place): void {
    const places = addresses.get(address)
    if (place.callers.size > 0 || places?.get(payment) !== place) return
    places.delete(payment)
    if (places.size === 0) addresses.delete(address)
  }

  return {
    /**
     * Waits for `work`. Rejects with `OutcomeUnknown` when the address has no place left, or loses the one that it has;
     * the work itself goes on, because others may wait for it.
     */
    async wait<T>(clientAddress: string, payment: string, work: () => Promise<T>): Promise<T> {
      const address = addressBlock(clientAddress)
      const place = placeFor(address, payment)
      if (place === undefined) {
        onFull()
        throw tooManyWaits()
      }
      const { promise: ended, reject } = Promise.withResolvers<never>()
      const end = () => reject(tooManyWaits())
      place.callers.add(end)
      try {
        return await Promise.race([work(), ended])
      } finally {
        place.callers.delete(end)
        leave(address, payment, place)
      }
    },
  }
}

function tooManyWaits(): OutcomeUnknown {
  const words = 'Your address waits for as many payments as it may. The payment stays usable.'
  return new OutcomeUnknown('busy', words, retryAfterSeconds)
}
