import type { Waiter } from '../lib/waiter.ts'
import type { Executable } from '../store/database.ts'
import type { OutcomeUnknown, PaymentRefusal } from './payment-reasons.ts'
import type { PaymentSettings } from './payment-settings.ts'
import type { Explanation } from './transaction-explainer.ts'
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

/** Terms are in the body for people and x402 v1, in headers for x402 v2 and MPP. */
export interface PaymentTerms {
  readonly accepts: readonly unknown[]
  /** Absent without an RPC: nothing could verify a transfer. */
  readonly transfer?: Readonly<Record<string, unknown>> | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** The terms of a server that takes no payments. */
export const noTerms: PaymentTerms = { accepts: [], headers: {} }

export interface PaymentRequired {
  /** A code of the error table. */
  readonly code: string
  readonly detail: string
  readonly baseUrl: string
  readonly terms: PaymentTerms
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The 402 in the form that x402 clients read. */
export function paymentRequiredResponse({ headers, ...required }: PaymentRequired): Response {
  const all = { ...paymentRequiredHeaders(required.terms), ...headers }
  return new Response(JSON.stringify(paymentRequiredBody(required)), { status: 402, headers: all })
}

export function paymentRequiredHeaders(terms: PaymentTerms): Readonly<Record<string, string>> {
  return { 'content-type': 'application/json', 'cache-control': 'no-store', ...terms.headers }
}

/** The body of a 402; the list of all prices has the same form. */
export function paymentRequiredBody({ code, detail, baseUrl, terms }: Omit<PaymentRequired, 'headers'>) {
  return {
    x402Version: 1,
    error: code,
    // The name that every other error has for it.
    code,
    detail,
    accepts: terms.accepts,
    transfer: terms.transfer,
    upgrade: `${baseUrl}/api/upgrade`,
    docs: `${baseUrl}/docs/errors#${code}`,
  }
}
