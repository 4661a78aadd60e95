import type { Waiter } from '../lib/waiter.ts'
import type { Executable } from '../store/database.ts'
import type { OutcomeUnknown, PaymentRefusal } from './payment-reasons.ts'
import type { PaymentSettings } from './payment-settings.ts'
import type { Explanation } from './transaction-explainer.ts'
import type { PaymentTerms } from './wire/payment-required.ts'
import type { PricedRequest } from './wire/request-binding.ts'

/** Payments as the rest of the program sees them. */
export interface Payments {
  /** Checks and reserves the offered payment, but for HEAD. Throws a `Problem` for an identifier of another request. */
  authorize(request: PayableRequest): Promise<PaymentOutcome>
  /** False while the token or the chain is another one than the settings say: then nothing is sold. */
  canSell(): boolean
  /** `error` is the reason that the 402 names. */
  terms(request: PricedRequest, error: string): PaymentTerms
  /** Checks the token and the chain, reconciles what earlier processes left open, and repeats both in the background. */
  start(): Promise<void>
  stop(): void
  reconcile(): Promise<void>
  /** Checks whether the money of a payment or a transaction is where the ledger has it, and records a change. */
  recheck(idOrHash: string): Promise<void>
  explain(txHash: string): Promise<Explanation>
  status(): Promise<PaymentsStatus>
}

export interface PayableRequest extends PricedRequest, PayingClient {
  /** The service's own URL, without a trailing slash. */
  readonly baseUrl: string
  readonly headers: Headers
}

export type PaymentOutcome =
  | { readonly kind: 'none' }
  | { readonly kind: 'authorized'; readonly payment: PaymentAuthorization }
  /** The payment bought this request before: the same response again, free. */
  | { readonly kind: 'replayed'; readonly response: Response }
  | PaymentRefusal
  | { readonly kind: 'unknown'; readonly error: OutcomeUnknown }

export interface PaymentAuthorization {
  /**
   * Settles the payment and stores the response for replays. Returns it with its receipt, or a 402 where the money did
   * not move. Throws a `Problem` while the outcome is unknown. `isHeard` tells whether somebody waits.
   */
  capture(response: Response, isHeard: () => boolean, delivery?: Delivery): Promise<Response>
  /** Makes the payment usable again, because the request failed. Never rejects: what cannot be stored now is stored later. */
  release(): Promise<void>
}

/** A purchase that changes the store. It runs in the transaction that records the money. */
export interface Delivery {
  readonly steps: () => Executable<void>
  readonly locks: readonly string[]
}

export interface PaymentsStatus {
  /** Why payments are off or limited; empty when nothing is wrong. */
  readonly problems: readonly string[]
  readonly settle: PaymentSettings['settle']
  readonly takesExact: boolean
  readonly settlerAddress: string | undefined
  readonly settlerGasWei: bigint | undefined
}

export interface PayingClient {
  readonly clientAddress: string
  /** Waits in queues; undefined where nobody's time is bounded. */
  readonly waiter?: Waiter | undefined
}
