import { createTwoGenerationCache } from '../lib/two-generation-cache.ts'
import type { DeferredWrites } from '../store/deferred-writes.ts'
import type { CountedAddress } from '../store/meter.ts'
import { type SignedAddressTable, viewDays } from '../store/signed-addresses.ts'

/** Notes views of signed addresses that the meter does not see, which keep an address from being forgotten. */
export interface AddressViews {
  note(address: CountedAddress, day: number): void
}

export interface AddressViewsDeps {
  readonly signedAddresses: Pick<SignedAddressTable, 'setView'>
  readonly deferred: Pick<DeferredWrites, 'add'>
}

/** Addresses remembered in memory; for any other the database is asked again. */
const addressesMax = 50_000

export function createAddressViews({ signedAddresses, deferred }: AddressViewsDeps): AddressViews {
  const noted = createTwoGenerationCache<number>(addressesMax, () => 1)
  return {
    note({ keyId, digest }, day) {
      const before = noted.get(digest)
      if (before !== undefined && before > day - viewDays) return
      noted.set(digest, day)
      void deferred.add(() => signedAddresses.setView(keyId, digest, day))
    },
  }
}
