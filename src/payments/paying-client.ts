import type { Waiter } from '../lib/waiter.ts'

/** Who offers a payment. */
export interface PayingClient {
  /** For limits per client. */
  readonly clientAddress: string
  /** Waits in queues; undefined where nobody's time is bounded. */
  readonly waiter?: Waiter | undefined
}
