import type { AuthorizationRequest, Charge, Refusal, Unavailable } from './authorization.ts'

/** What the decision asks of payments. Called only when nothing free was granted. */
export interface Payments {
  charge(request: AuthorizationRequest): Promise<PaymentOutcome>
}

export type PaymentOutcome =
  | { readonly kind: 'none' }
  | { readonly kind: 'charged'; readonly charge: Charge }
  | { readonly kind: 'replayed'; readonly response: Response }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'unavailable'; readonly unavailable: Unavailable }
