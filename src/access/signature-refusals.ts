import type { Refusal } from './authorization.ts'
import type { SignatureFault } from './signature-verifier.ts'

/** The refusal of a call for each fault of its signature or key. */
export const signatureRefusals: Readonly<Record<SignatureFault, Refusal>> = {
  unknown_key: invalidKey('There is no such key, or it was revoked.'),
  revoked_key: invalidKey('There is no such key, or it was revoked.'),
  ended_key: invalidKey(
    'This key has ended: it was issued for a time that is over. Get another pair, or ask the operator for a later end.',
  ),
  invalid_signature: {
    code: 'invalid_signature',
    detail:
      'The signature does not fit this key and this request: a signed parameter, the path or the key is another one.',
  },
  stale_signature: {
    code: 'stale_signature',
    detail:
      'The signature is valid but expired: t must be now, exp in the future and at most ten years away.',
  },
}

function invalidKey(detail: string): Refusal {
  return { code: 'invalid_key', detail }
}
