import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { SharedAddressWatch } from '../lib/shared-address-watch.ts'
import type { Store } from '../store/open.ts'
import type { PaymentSettings } from './payment-settings.ts'

/** Dependencies of every part of payments. */
export interface PaymentContext {
  readonly settings: PaymentSettings
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly clients: SharedAddressWatch
  /** 32 secret bytes, shared by all our processes. */
  readonly secret: Uint8Array
}
