import { Buffer } from 'node:buffer'
import { createTwoGenerationCache } from '../lib/byte-cache.ts'
import type { CountedAddress } from '../store/meter.ts'
import type { Store } from '../store/open.ts'
import { type TrafficKind, viewDays } from '../store/usage.ts'
import type { Granted, Quota } from './authorization.ts'
import type { TrafficLog } from './traffic-log.ts'

/** Some 6 MB. Which addresses are forgotten first does not matter much: the database knows all of them. */
const embedsMax = 50_000

/** The signed addresses that the database granted on one UTC day. Another day empties it, whichever way the clock moved. */
export function createCountedEmbeds(max = embedsMax) {
  let day: number | undefined
  let epochs = createTwoGenerationCache<number>(max, () => 1)

  return {
    add(today: number, digest: string, epoch: number): void {
      if (day !== today) epochs = createTwoGenerationCache(max, () => 1)
      day = today
      // A copy, because a part of a longer text would keep all of it in memory.
      epochs.set(Buffer.from(digest, 'latin1').toString('latin1'), epoch)
    },
    has: (today: number, digest: string, epoch: number) => day === today && epochs.get(digest) === epoch,
    remove: (digest: string): void => epochs.set(digest, removed),
  }
}

const removed = -1

export interface GrantParts extends Pick<Granted, 'siteId' | 'secondsLeft' | 'addressDigest'> {
  readonly keyId: string
}

/** The grant of one view, which it counts. A class, because a `refund` of its own would be a function for each view. */
export class GrantedView implements Granted {
  readonly granted = true
  readonly mode = 'key'
  readonly isView = true
  readonly keyId: string
  readonly siteId: string | undefined
  readonly addressDigest: string | undefined
  readonly secondsLeft: number | undefined
  readonly quota: Quota
  readonly #traffic: TrafficLog
  readonly #kind: TrafficKind
  readonly #day: number
  #views: number

  constructor(
    { keyId, siteId, addressDigest, secondsLeft }: GrantParts,
    quota: Quota,
    traffic: TrafficLog,
    kind: TrafficKind,
    day: number,
    views: number,
  ) {
    this.keyId = keyId
    this.siteId = siteId
    this.addressDigest = addressDigest
    this.secondsLeft = secondsLeft
    this.quota = quota
    this.#traffic = traffic
    this.#kind = kind
    this.#day = day
    this.#views = views
    if (views > 0) traffic.record(kind, views, day)
  }

  async refund(): Promise<void> {
    const views = this.#views
    this.#views = 0
    if (views > 0) this.#traffic.record(this.#kind, -views, this.#day)
  }
}

/** Addresses remembered in memory; for any other the database is asked again. */
const addressesMax = 50_000

/** Notes views of signed addresses that the meter does not see, which keep an address from being forgotten. */
export function createAddressViews({ signedAddresses, deferred }: Store) {
  const noted = createTwoGenerationCache<number>(addressesMax, () => 1)
  return {
    note({ keyId, digest }: CountedAddress, day: number): void {
      const before = noted.get(digest)
      if (before !== undefined && before > day - viewDays) return
      noted.set(digest, day)
      void deferred.add(() => signedAddresses.setView(keyId, digest, day))
    },
  }
}
