import { paymentReasons } from '../../payments/payment-reasons.ts'

/** Cause and remedy of every `error` in a 402: those of keys and the demo, then those of payments. */
export const refusals: Readonly<Record<string, string>> = {
  invalid_key: 'There is no such key, or it was revoked. Check the id, or get another pair.',
  invalid_signature:
    'The signature does not fit this key and this request. Sign the path as it is sent; an embed URL must not be changed in any way.',
  stale_signature:
    'The signature is good and its time is not. t must be now; exp must be in the future and at most ten years away.',
  quota_exhausted:
    'The quota of this key is used up for today. It starts again at 00:00 UTC; a payment lifts it, or buys this one call.',
  demo_quota_exhausted:
    'Everybody’s demo calls are used up for today. They start again at 00:00 UTC; use a key, or pay for this call.',
  ...paymentReasons,
}
