import type { Grant, SiteCall } from '../assets/kit/producer.ts'
import type { ParameterError } from '../errors.ts'
import { runOnce } from '../lib/memo.ts'
import type { OutcomeUnknown } from '../payments/payment-reasons.ts'
import type { PayableRequest, PaymentAuthorization } from '../payments/payments.ts'
import type { Meter, QuotaReservation } from '../store/meter.ts'
import type { Credentials } from './credentials.ts'

export interface AuthorizationRequest extends PayableRequest {
  /** The path as in the URL, still percent-encoded: it is part of what is signed. */
  readonly path: string
  readonly rawQuery: string
  /** A parameter of what is asked for is never taken for a tracker's. */
  isParameter?(name: string): boolean
  readonly credentials?: Credentials | undefined
  /** The only keys that may have what is asked for, no matter who pays; undefined: every key may. */
  readonly onlyKeyIds?: ReadonlySet<string> | undefined
  readonly site?: SiteCall | undefined
  /** Mistakes for which a signed address is refused that was never answered. */
  readonly unlessAnswered?: readonly ParameterError[] | undefined
  /** The caller has a copy of the answer. Signature, key and time are checked, and no quota is read or counted. */
  readonly isRevalidation?: boolean
}

/** A refusal lets the next strategy try; any other answer is final. Undefined: no credentials for this strategy. */
export type AuthStrategy = (
  request: AuthorizationRequest,
  credentials: Credentials,
) => Promise<Authorization | Refusal | undefined> | Authorization | undefined

/** The quota in which the call was counted, for the `X-Quota-*` headers. Null: without limit. */
export type Quota = Pick<QuotaReservation, 'limit' | 'remaining' | 'resetsAtMs'>

export type Authorization =
  | Granted
  | NotAllowed
  | Unavailable
  | { readonly granted: false; readonly error: 'refused'; readonly refusal: Refusal }
  /** An answer that was paid for before and asked for again: the same bytes, free. */
  | { readonly granted: false; readonly error: 'replayed'; readonly response: Response }
  /** 400: the credentials are malformed, or what a new signed address asks for is not drawn any more. */
  | { readonly granted: false; readonly error: 'invalid_query'; readonly errors: readonly ParameterError[] }

export interface Granted extends Grant {
  readonly granted: true
  /** The signed address was counted by another call, whose count this one rests on. */
  readonly isView?: true
  readonly quota?: Quota
  /** For how many seconds the right to the answer lasts; undefined if it has no end that is known now. */
  readonly secondsLeft?: number | undefined
  /** Present when money paid: `capture` must see the response before it is sent. */
  readonly payment?: PaymentAuthorization
}

/** 403: what is asked for is not for this caller. Nothing was counted, and no payment was looked at. */
export interface NotAllowed {
  readonly granted: false
  readonly error: 'brand_not_allowed'
  readonly detail: string
  readonly errors: readonly ParameterError[]
}

export const notAllowed: NotAllowed = {
  granted: false,
  error: 'brand_not_allowed',
  detail: 'This brand is restricted to certain keys, and none of them signed this call. Nothing was charged.',
  errors: [
    { parameter: 'brand', message: 'is restricted to certain keys, and none of them signed this call' },
  ],
}

export interface Refusal {
  /** A code of the error table: `payment_required`, `invalid_key`, `quota_exhausted`, … */
  readonly code: string
  readonly detail: string
  readonly quota?: Quota
  readonly headers?: Readonly<Record<string, string>>
}

/** 503: the call could not be counted or the outcome of its payment is unknown. The payment stays usable. */
export interface Unavailable {
  readonly granted: false
  readonly error: OutcomeUnknown['code']
  readonly detail: string
  readonly retryAfterSeconds: number
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** The grant of a call that a quota was reserved for. A refund releases the reservation. */
export function grantByQuota(mode: 'demo' | 'key', meter: Meter, reservation: QuotaReservation): Granted {
  const refund = runOnce(() => meter.release(reservation))
  return { granted: true, mode, quota: reservation, refund }
}

export async function nothingToRefund(): Promise<void> {}

/** The grant of a call that is not signed, by somebody who has the answer: nothing was counted. */
export const demoRevalidation: Granted = { granted: true, mode: 'demo', refund: nothingToRefund }

/** HEAD is decided like GET, and counts nothing. */
export function callsToCount({ method }: AuthorizationRequest): number {
  return method === 'HEAD' ? 0 : 1
}
