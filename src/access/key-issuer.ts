import type { Meter } from '../store/meter.ts'
import { retryWhileLocked } from '../store/retry-while-locked.ts'
import { reserveForClient } from './client-quota.ts'
import type { IssuedKey, KeyOptions, Keys } from './keys.ts'

export type KeyIssuer = ReturnType<typeof createKeyIssuer>

export type IssueOutcome =
  | { readonly issued: true; readonly pair: IssuedKey }
  | { readonly issued: false; readonly error: 'issuing_closed' }
  | { readonly issued: false; readonly error: 'rate_limited'; readonly resetsAtMs: number }

interface KeyIssuerDeps {
  readonly keys: Keys
  readonly meter: Meter
  /** Whether keys are issued. Called each time, since the operator may close issuing at any time. */
  readonly isOpen: () => boolean
  readonly perAddressDaily: number
}

/** Issues keys to anybody, a few a day for each client address and the blocks that it lies in. */
export function createKeyIssuer({ keys, meter, isOpen, perAddressDaily }: KeyIssuerDeps) {
  return {
    /** Whether anybody is issued a key now, as far as that is known without issuing one. */
    isOpen,
    /** Rejects with `MeterUnavailable` or a `StoreError` when the store could not write; nothing was issued then. */
    async issue(
      clientAddress: string,
      options: Pick<KeyOptions, 'expiresAtMs' | 'hosts'> = {},
    ): Promise<IssueOutcome> {
      if (!isOpen()) return { issued: false, error: 'issuing_closed' }
      const reservation = await reserveForClient(meter, clientAddress, {
        name: 'keys',
        limit: perAddressDaily,
      })
      if (!reservation.granted)
        return { issued: false, error: 'rate_limited', resetsAtMs: reservation.resetsAtMs }
      try {
        return { issued: true, pair: await retryWhileLocked(() => keys.create(options)) }
      } catch (error) {
        await reservation.release()
        throw error
      }
    },
  }
}
